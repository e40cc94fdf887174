import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { ProjectExportTable } from '../../../database/tables/projects.js'

export type ExportRow = Selectable<ProjectExportTable>

/** A requested export. */
export type WantedExport = ExportRow & { requested_at: number }

/** Maximum number of exports per query; the rest follow in the next one. */
const MAX_EXPORTS = 1000

/** Requests an export; does nothing if one is already requested. */
export async function requestExport(
  database: Database,
  projectId: number,
  description: string | null,
): Promise<void> {
  const wanted = { description, requested_at: Date.now(), claimed_until: null }
  await database
    .insertInto('project_export')
    .values({ project_id: projectId, ...wanted })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet(wanted).where('project_export.requested_at', 'is', null),
    )
    .execute()
}

export function findExport(database: Database, projectId: number): Promise<ExportRow | undefined> {
  return database
    .selectFrom('project_export')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

/** In the order of the requests. */
export async function findWantedExports(database: Database): Promise<WantedExport[]> {
  return database
    .selectFrom('project_export')
    .selectAll()
    .where('requested_at', 'is not', null)
    .$narrowType<{ requested_at: number }>()
    .orderBy('requested_at')
    .limit(MAX_EXPORTS)
    .execute()
}

/** Claims the export until the given time; false if another worker has claimed or finished it. */
export async function claimExport(database: Database, wanted: WantedExport, until: number): Promise<boolean> {
  const { numUpdatedRows } = await updateIfWanted(database, wanted)
    .set({ claimed_until: until })
    .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', Date.now())]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Extends the claim; null releases it. */
export async function renewExportClaim(
  database: Database,
  wanted: WantedExport,
  until: number | null,
): Promise<void> {
  await updateIfWanted(database, wanted).set({ claimed_until: until }).execute()
}

/** Replaces the previous archive with a new one. False if the export is no longer requested. */
export async function finishExport(
  database: Database,
  wanted: WantedExport,
  archive: { key: string; size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateIfWanted(database, wanted)
    .set(({ ref }) => ({
      stale_key: ref('blob_key'),
      blob_key: archive.key,
      size: archive.size,
      ...NOT_REQUESTED,
      finished_at: Date.now(),
      error: null,
    }))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records the error; a previous archive is kept. */
export async function failExport(database: Database, wanted: WantedExport, error: string): Promise<void> {
  await updateIfWanted(database, wanted)
    .set({ ...NOT_REQUESTED, finished_at: Date.now(), error })
    .execute()
}

const NOT_REQUESTED = { requested_at: null, claimed_until: null }

/** The row, if it is still the same request. */
function updateIfWanted(database: Database, { id, requested_at }: WantedExport) {
  return database.updateTable('project_export').where('id', '=', id).where('requested_at', '=', requested_at)
}

/**
 * Exports with unused files: those of a replaced archive, and those of archives finished before the given
 * time.
 */
export function findOldExports(database: Database, before: number, limit: number): Promise<ExportRow[]> {
  return database
    .selectFrom('project_export')
    .selectAll()
    .where(({ or, eb }) => or([eb('stale_key', 'is not', null), eb('finished_at', '<', before)]))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function deleteStaleKey(database: Database, id: number, key: string): Promise<void> {
  await database
    .updateTable('project_export')
    .set({ stale_key: null })
    .where('id', '=', id)
    .where('stale_key', '=', key)
    .execute()
}

/** Clears the record of a deleted archive; a running export is not changed. */
export async function deleteExport(database: Database, { id, finished_at }: ExportRow): Promise<void> {
  const row = database.updateTable('project_export').where('id', '=', id)
  await row
    .set({ blob_key: null, size: null, finished_at: null, error: null })
    .where('finished_at', '=', finished_at)
    .execute()
  await database
    .deleteFrom('project_export')
    .where('id', '=', id)
    .where('requested_at', 'is', null)
    .where('blob_key', 'is', null)
    .where('stale_key', 'is', null)
    .execute()
}
