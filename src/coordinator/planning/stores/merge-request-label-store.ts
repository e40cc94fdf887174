import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { valuesBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { LabelRow } from './label-store.js'

/** Labels of merge requests by ID of the merge request, by name; one without labels is not a key. */
export async function labelsOfMergeRequests(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, LabelRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request_label')
    .innerJoin('label', 'label.id', 'merge_request_label.label_id')
    .selectAll('label')
    .select('merge_request_label.merge_request_id')
    .where('merge_request_label.merge_request_id', 'in', ids)
    .orderBy('label.name')
    .orderBy('label.id')
    .execute()
  return valuesBy(rows, ({ merge_request_id, ...label }) => [merge_request_id, label])
}

/** Makes these the labels of a merge request that `tx` has locked. */
export async function setMergeRequestLabels(
  tx: Transaction,
  id: number,
  labelIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('merge_request_label')
    .where('merge_request_id', '=', id)
    .$if(labelIds.length > 0, (others) => others.where('label_id', 'not in', labelIds))
    .execute()
  if (labelIds.length === 0) return
  await tx
    .insertInto('merge_request_label')
    .values(labelIds.map((label_id) => ({ merge_request_id: id, label_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Condition on the table `merge_request`: it has labels with all of these names. `None` asks for merge requests without
 * labels, `Any` for those with at least one, in any case. Null if there is nothing to ask for.
 */
export function mergeRequestHasLabels(names: readonly string[]): RawBuilder<SqlBool> | null {
  const wanted = names.filter((name) => name !== '')
  const [first] = wanted
  if (first === undefined) return null
  const isLabeled = sql<SqlBool>`exists (
    select 1 from merge_request_label where merge_request_label.merge_request_id = merge_request.id)`
  const word = wanted.length === 1 ? first.toLowerCase() : ''
  if (word === 'none' || word === 'no label') return sql<SqlBool>`not ${isLabeled}`
  if (word === 'any') return isLabeled
  const each = wanted.map(
    (name) => sql`merge_request.id in (select merge_request_label.merge_request_id from merge_request_label
      join label on label.id = merge_request_label.label_id where label.name = ${name})`,
  )
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`
}
