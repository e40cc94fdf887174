import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { valuesBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { LabelRow } from './label-store.js'

/** Labels of issues by issue ID, by name; an issue without labels is not a key. */
export async function labelsOfIssues(
  database: Database,
  issueIds: readonly number[],
): Promise<Map<number, LabelRow[]>> {
  if (issueIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('issue_label')
    .innerJoin('label', 'label.id', 'issue_label.label_id')
    .selectAll('label')
    .select('issue_label.issue_id')
    .where('issue_label.issue_id', 'in', issueIds)
    .orderBy('label.name')
    .orderBy('label.id')
    .execute()
  return valuesBy(rows, ({ issue_id, ...label }) => [issue_id, label])
}

/** Makes these the labels of an issue that `tx` has locked. */
export async function setIssueLabels(
  tx: Transaction,
  issueId: number,
  labelIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('issue_label')
    .where('issue_id', '=', issueId)
    .$if(labelIds.length > 0, (others) => others.where('label_id', 'not in', labelIds))
    .execute()
  if (labelIds.length === 0) return
  await tx
    .insertInto('issue_label')
    .values(labelIds.map((label_id) => ({ issue_id: issueId, label_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Condition on the table `issue`: it has labels with all of these names. `None` asks for issues without labels, `Any`
 * for issues with at least one, in any case. Null if there is nothing to ask for.
 */
export function hasLabels(names: readonly string[]): RawBuilder<SqlBool> | null {
  const wanted = names.filter((name) => name !== '')
  const [first] = wanted
  if (first === undefined) return null
  const isLabeled = sql<SqlBool>`exists (select 1 from issue_label where issue_label.issue_id = issue.id)`
  const word = wanted.length === 1 ? first.toLowerCase() : ''
  if (word === 'none' || word === 'no label') return sql<SqlBool>`not ${isLabeled}`
  if (word === 'any') return isLabeled
  const each = wanted.map(
    (name) => sql`issue.id in (select issue_label.issue_id from issue_label
      join label on label.id = issue_label.label_id where label.name = ${name})`,
  )
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`
}
