import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import { MINUTE } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { claimRow } from '../../database/due-rows.js'
import type { RemoteMirrorTable } from '../../database/tables/remote-mirrors.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type MirrorRow = Selectable<RemoteMirrorTable>

/** Delay before a failed push is retried, in milliseconds; a new push to the project retries at once. */
const TRY_AGAIN_AFTER = 15 * MINUTE
/** Maximum number of mirrors per query; the rest follow in the next one. */
const MAX_DUE = 1000

export function listMirrors(database: Database, projectId: number, paging: Paging): Promise<Rows<MirrorRow>> {
  const matching = database.selectFrom('remote_mirror').where('project_id', '=', projectId)
  return listRows(database, matching, paging, { table: 'remote_mirror', column: 'id', direction: 'asc' })
}

export function findMirror(
  database: Database,
  projectId: number,
  id: number,
): Promise<MirrorRow | undefined> {
  return database
    .selectFrom('remote_mirror')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function insertMirror(
  database: Database,
  values: Omit<Insertable<RemoteMirrorTable>, 'id' | 'created_at' | 'update_status'>,
): Promise<MirrorRow> {
  return database
    .insertInto('remote_mirror')
    .values({ ...values, update_status: 'none', created_at: Date.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateMirror(
  database: Database,
  id: number,
  changes: Updateable<RemoteMirrorTable>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await database.updateTable('remote_mirror').set(changes).where('id', '=', id).execute()
}

export async function deleteMirror(database: Database, projectId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('remote_mirror')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Finds mirrors that are behind: never pushed, pushed before the last activity of the project, or failed some
 * time ago.
 */
export function findDueMirrors(database: Database): Promise<MirrorRow[]> {
  const isBehind = sql<SqlBool>`remote_mirror.last_update_started_at <= project.last_activity_at`
  return database
    .selectFrom('remote_mirror')
    .innerJoin('project', 'project.id', 'remote_mirror.project_id')
    .selectAll('remote_mirror')
    .where('remote_mirror.enabled', '=', true)
    .where('project.default_branch', 'is not', null)
    .where(({ or, and, eb }) =>
      or([
        eb('remote_mirror.last_update_started_at', 'is', null),
        isBehind,
        // The coordinator that pushed this mirror has stopped.
        eb('remote_mirror.update_status', '=', 'started'),
        and([
          eb('remote_mirror.update_status', '=', 'failed'),
          eb('remote_mirror.last_update_at', '<', Date.now() - TRY_AGAIN_AFTER),
        ]),
      ]),
    )
    .orderBy('remote_mirror.id')
    .limit(MAX_DUE)
    .execute()
}

/**
 * Claims a mirror until the given time; false if another worker has claimed it, or it is disabled or deleted.
 */
export function claimMirror(database: Database, { id }: MirrorRow, until: number): Promise<boolean> {
  const now = Date.now()
  return claimRow(
    database
      .updateTable('remote_mirror')
      .set({ claimed_until: until, update_status: 'started', last_update_started_at: now })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)])),
  )
}

export async function finishMirror(database: Database, id: number, error: string | null): Promise<void> {
  const now = Date.now()
  await updateMirror(database, id, {
    last_error: error,
    last_update_at: now,
    claimed_until: null,
    update_status: error === null ? 'finished' : 'failed',
    ...(error === null && { last_successful_update_at: now }),
  })
}
