import type { Insertable, Selectable } from 'kysely'

import type { CodeOwnersProblem } from '../../../code-owners/code-owners.js'
import type { OwnedPaths } from '../../../code-owners/owned-paths.js'
import type { Database } from '../../database/connect.js'
import type { MergeRequestCodeOwnersTable } from '../../database/tables/approval-rules.js'

type Row = Selectable<MergeRequestCodeOwnersTable>

/** The owners of the files that a merge request changes, for one head and one head of the target branch. */
export interface FoundCodeOwners extends Omit<Row, 'owned' | 'problems'> {
  owned: OwnedPaths[]
  problems: CodeOwnersProblem[]
}

/** By merge request ID. */
export async function codeOwnersByMergeRequest(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, FoundCodeOwners>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request_code_owners')
    .selectAll()
    .where('merge_request_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.merge_request_id, parsed(row)]))
}

function parsed({ owned, problems, ...row }: Row): FoundCodeOwners {
  return {
    ...row,
    owned: JSON.parse(owned) as OwnedPaths[],
    problems: JSON.parse(problems) as CodeOwnersProblem[],
  }
}

export async function putCodeOwners(
  database: Database,
  { owned, problems, ...found }: FoundCodeOwners,
): Promise<void> {
  const values: Insertable<MergeRequestCodeOwnersTable> = {
    ...found,
    owned: JSON.stringify(owned),
    problems: JSON.stringify(problems),
  }
  await database
    .insertInto('merge_request_code_owners')
    .values(values)
    .onConflict((conflict) => conflict.column('merge_request_id').doUpdateSet(values))
    .execute()
}
