import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { RemoteMirrorTable } from '../../database/tables/remote-mirrors.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type MirrorRow = Selectable<RemoteMirrorTable>

/** Milliseconds until a push that failed is tried again, where nothing new is pushed before. */
const TRY_AGAIN_AFTER = 15 * 60 * 1000
/** Mirrors that are looked for at once; the others follow. */
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

/** Those of projects that something was pushed to since, that were never pushed to, or whose push failed a while ago. */
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
        // Its coordinator has died.
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

/** Makes it the caller's own for that long; false when somebody else is at it, or it is gone. */
export async function claimMirror(database: Database, { id }: MirrorRow, until: number): Promise<boolean> {
  const now = Date.now()
  const { numUpdatedRows } = await database
    .updateTable('remote_mirror')
    .set({ claimed_until: until, update_status: 'started', last_update_started_at: now })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
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
