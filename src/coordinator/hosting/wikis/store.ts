import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { WikiTable } from '../../database/tables/wikis.js'
import type { Transaction } from '../../database/transaction.js'

/** From one head of a wiki to the next, with its size in bytes. */
export interface Move {
  from: string | null
  to: string
  size: number
}

/** Records that the project has a wiki. Returns whether it had none. */
export async function insertWiki(database: Database, projectId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('wiki')
    .values({ project_id: projectId, head_sha: null, size: 0, updated_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteWiki(database: Database, projectId: number): Promise<void> {
  await database.deleteFrom('wiki').where('project_id', '=', projectId).execute()
}

export function findWiki(database: Database, projectId: number): Promise<Selectable<WikiTable> | undefined> {
  return database.selectFrom('wiki').selectAll().where('project_id', '=', projectId).executeTakeFirst()
}

/** Records a new head and its size. False if the head is another one than expected. */
export async function moveWiki(
  tx: Transaction,
  projectId: number,
  { from, to, size }: Move,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('wiki')
    .set({ head_sha: to, size, updated_at: Date.now() })
    .where('project_id', '=', projectId)
    .where('head_sha', from === null ? 'is' : '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** IDs of all projects that have a wiki. */
export async function listWikis(database: Database): Promise<number[]> {
  const rows = await database.selectFrom('wiki').select('project_id').orderBy('project_id').execute()
  return rows.map(({ project_id }) => project_id)
}

/** Those of the projects that have a wiki. */
export async function projectsWithWiki(database: Database, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database.selectFrom('wiki').select('project_id').where('project_id', 'in', ids).execute()
  return new Set(rows.map(({ project_id }) => project_id))
}
