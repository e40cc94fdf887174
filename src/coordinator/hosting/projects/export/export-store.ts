import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { ProjectExportTable } from '../../../database/tables/projects.js'

export type ExportRow = Selectable<ProjectExportTable>

/** One that is to be made. */
export type WantedExport = ExportRow & { requested_at: number }

/** Exports that are looked for at once; the others follow. */
const MAX_EXPORTS = 1000

/** Leaves an archive to be made; does nothing while one is. */
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

/** In the order in which they were asked for. */
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

/** Makes it the caller's own for that long; false when somebody else is at it, or has done it. */
export async function claimExport(database: Database, wanted: WantedExport, until: number): Promise<boolean> {
  const { numUpdatedRows } = await theWanted(database, wanted)
    .set({ claimed_until: until })
    .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', Date.now())]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Says that its owner is still at it; null gives it back. */
export async function keepExportClaim(
  database: Database,
  wanted: WantedExport,
  until: number | null,
): Promise<void> {
  await theWanted(database, wanted).set({ claimed_until: until }).execute()
}

/** Puts a new archive in the place of the one that is there. False when it is not wanted any more. */
export async function finishExport(
  database: Database,
  wanted: WantedExport,
  archive: { key: string; size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await theWanted(database, wanted)
    .set(({ ref }) => ({
      stale_key: ref('blob_key'),
      blob_key: archive.key,
      size: archive.size,
      ...SETTLED,
      finished_at: Date.now(),
      error: null,
    }))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** One that is there already stays. */
export async function failExport(database: Database, wanted: WantedExport, error: string): Promise<void> {
  await theWanted(database, wanted)
    .set({ ...SETTLED, finished_at: Date.now(), error })
    .execute()
}

const SETTLED = { requested_at: null, claimed_until: null }

/** The row, as long as it asks for the same. */
function theWanted(database: Database, { id, requested_at }: WantedExport) {
  return database.updateTable('project_export').where('id', '=', id).where('requested_at', '=', requested_at)
}

/** Rows with bytes that nobody needs: those of an archive that was replaced, and of one made before then. */
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

/** Forgets an archive whose bytes are gone; one that is being made is not touched. */
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
