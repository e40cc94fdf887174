import { DAY } from '../../../../lib/time-units.js'
import type { BlobStore } from '../../../ci/storage/blob-store.js'
import type { Database } from '../../../database/connect.js'
import { deleteExport, deleteStaleKey, findOldExports } from './export-store.js'

/** Retention period of an archive, in milliseconds. */
export const KEPT_FOR = DAY

/** Maximum number of exports per run. */
const BATCH = 100

/** Periodic task: deletes expired archives, and files of replaced ones. */
export async function deleteOldExports(database: Database, blobs: BlobStore, before: number): Promise<void> {
  for (const row of await findOldExports(database, before, BATCH)) {
    if (row.stale_key !== null) {
      await blobs.delete(row.stale_key)
      await deleteStaleKey(database, row.id, row.stale_key)
    }
    if (row.finished_at === null || row.finished_at >= before) continue
    if (row.blob_key !== null) await blobs.delete(row.blob_key)
    await deleteExport(database, row)
  }
}
