import type { Insertable, Selectable, Updateable } from 'kysely'

import { MINUTE } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { claimRow } from '../../database/due-rows.js'
import type { PullMirrorTable } from '../../database/tables/pull-mirrors.js'

export type PullMirrorRow = Selectable<PullMirrorTable>

/** Time between two updates, in milliseconds. */
const UPDATED_EVERY = 30 * MINUTE
/** Maximum number of mirrors per query; the rest follow in the next one. */
const MAX_DUE = 1000

const wakers = new WeakMap<Database, () => void>()

/** Calls `wake` when an update was requested on this store. */
export function onPullRequested(database: Database, wake: () => void): void {
  wakers.set(database, wake)
}

export function findPullMirror(database: Database, projectId: number): Promise<PullMirrorRow | undefined> {
  return database.selectFrom('pull_mirror').selectAll().where('project_id', '=', projectId).executeTakeFirst()
}

export function insertPullMirror(
  database: Database,
  values: Omit<Insertable<PullMirrorTable>, 'id' | 'created_at' | 'due_at'>,
): Promise<PullMirrorRow> {
  const now = Date.now()
  return database
    .insertInto('pull_mirror')
    .values({ ...values, due_at: now, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updatePullMirror(
  database: Database,
  id: number,
  values: Updateable<PullMirrorTable>,
): Promise<void> {
  await database.updateTable('pull_mirror').set(values).where('id', '=', id).execute()
}

/** Requests an update now; one that runs is followed by another one. */
export async function requestPull(database: Database, id: number): Promise<void> {
  await updatePullMirror(database, id, { due_at: Date.now(), update_status: 'scheduled' })
  wakers.get(database)?.()
}

export function findDuePulls(database: Database): Promise<PullMirrorRow[]> {
  return database
    .selectFrom('pull_mirror')
    .selectAll()
    .where('enabled', '=', true)
    .where('due_at', '<=', Date.now())
    .orderBy('due_at')
    .orderBy('id')
    .limit(MAX_DUE)
    .execute()
}

/** False if another worker has claimed it, or it is disabled or deleted. */
export function claimPull(database: Database, { id }: PullMirrorRow, until: number): Promise<boolean> {
  const now = Date.now()
  return claimRow(
    database
      .updateTable('pull_mirror')
      .set({ claimed_until: until, update_status: 'started', last_update_started_at: now })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)])),
  )
}

/** `problem`: why the update failed, or what it has left out. If another update was requested, it is due at once. */
export async function finishPull(
  database: Database,
  { id, due_at }: Pick<PullMirrorRow, 'id' | 'due_at'>,
  { isFailed, problem }: { isFailed: boolean; problem: string | null },
): Promise<void> {
  const now = Date.now()
  await updatePullMirror(database, id, {
    last_error: problem,
    last_update_at: now,
    claimed_until: null,
    update_status: isFailed ? 'failed' : 'finished',
    ...(!isFailed && { last_successful_update_at: now }),
  })
  await database
    .updateTable('pull_mirror')
    .set({ due_at: now + UPDATED_EVERY })
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .execute()
}
