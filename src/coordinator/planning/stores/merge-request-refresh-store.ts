import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { MergeRequestRefreshTable } from '../../database/tables/merge-requests.js'
import { afterCommit, storeOf, type Transaction } from '../../database/transaction.js'
import type { MergeRequestRow } from './merge-request-store.js'

export type RefreshRow = Selectable<MergeRequestRefreshTable>

const wakers = new WeakMap<Database, () => void>()

/** Calls `wake` after each transaction on this store that has asked for a refresh. */
export function onRefreshRequested(database: Database, wake: () => void): void {
  wakers.set(database, wake)
}

/** Maximum number of merge requests per statement, and of those that are refreshed for one branch. */
const MAX_REFRESHED = 500

/**
 * Asks for merge requests to be compared with their branches in the background, once more if that is being
 * done now. `pushedBy`: the user who has pushed to one of the branches.
 */
export async function requestRefresh(
  tx: Transaction,
  rows: readonly Pick<MergeRequestRow, 'id' | 'project_id'>[],
  pushedBy: number | null,
): Promise<void> {
  if (rows.length === 0) return
  afterCommit(tx, () => wakers.get(storeOf(tx))?.())
  const common = { pushed_by_id: pushedBy, created_at: Date.now() }
  for (let start = 0; start < rows.length; start += MAX_REFRESHED) {
    const some = rows.slice(start, start + MAX_REFRESHED)
    await tx
      .insertInto('merge_request_refresh')
      .values(some.map(({ id, project_id }) => ({ merge_request_id: id, project_id, ...common })))
      .onConflict((conflict) =>
        conflict.column('merge_request_id').doUpdateSet((eb) => ({
          generation: eb('merge_request_refresh.generation', '+', 1),
          pushed_by_id: eb.fn.coalesce('excluded.pushed_by_id', 'merge_request_refresh.pushed_by_id'),
        })),
      )
      .execute()
  }
}

/**
 * Asks for a refresh of the open merge requests into a branch that was moved: those that were changed last. All
 * others count as not compared.
 */
export async function refreshInto(
  tx: Transaction,
  { projectId, branch }: { projectId: number; branch: string },
  pushedBy: number,
): Promise<void> {
  const rows = await tx
    .selectFrom('merge_request')
    .select(['id', 'project_id'])
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .where('state', '=', 'opened')
    .orderBy('updated_at', 'desc')
    .limit(MAX_REFRESHED)
    .execute()
  await requestRefresh(tx, rows, pushedBy)
  if (rows.length === MAX_REFRESHED) await uncheck(tx, projectId, branch)
}

async function uncheck(tx: Transaction, projectId: number, branch: string): Promise<void> {
  await tx
    .updateTable('merge_request')
    .set({ merge_status: 'unchecked' })
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .where('state', '=', 'opened')
    .where('merge_status', '<>', 'unchecked')
    .execute()
}

/** Asks for a refresh of the open merge requests from and into the branches of a project. */
export async function refreshAllOf(tx: Transaction, projectId: number, pushedBy: number): Promise<void> {
  const rows = await tx
    .selectFrom('merge_request')
    .select(['id', 'project_id'])
    .where(({ or, eb }) => or([eb('project_id', '=', projectId), eb('source_project_id', '=', projectId)]))
    .where('state', '=', 'opened')
    .orderBy('updated_at', 'desc')
    .limit(MAX_REFRESHED)
    .execute()
  await requestRefresh(tx, rows, pushedBy)
}

/** Open requests for a refresh, oldest first. */
export function findRefreshes(database: Database): Promise<RefreshRow[]> {
  return database.selectFrom('merge_request_refresh').selectAll().orderBy('id').limit(MAX_REFRESHED).execute()
}

/** False if another coordinator has claimed or completed it. */
export async function claimRefresh(
  database: Database,
  { id, claimed_until }: Pick<RefreshRow, 'id' | 'claimed_until'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('merge_request_refresh')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('claimed_until', claimed_until === null ? 'is' : '=', claimed_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renewRefresh(database: Database, id: number, until: number | null): Promise<void> {
  await database
    .updateTable('merge_request_refresh')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .execute()
}

/** Deletes the request. False if it was made once more since it was read, and is open again. */
export async function finishRefresh(
  database: Database,
  { id, generation }: Pick<RefreshRow, 'id' | 'generation'>,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('merge_request_refresh')
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (numDeletedRows === 0n) await renewRefresh(database, id, null)
  return numDeletedRows === 1n
}
