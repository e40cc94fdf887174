import type { Database } from '../../../database/connect.js'
import type { BlobStore } from '../blob-store.js'
import { TestReports } from './test-reports.js'

/** A row of an artifact fits. */
export interface DeletableArtifact {
  id: number
  job_id: number
  file_type: string
  blob_key: string
}

/**
 * Marks the row of an artifact as deleted and deletes its bytes, and with a JUnit report its cases. False, and unchanged,
 * if it was deleted before or, with `expiredBy`, if it does not expire by this time any more.
 */
export async function deleteArtifact(
  database: Database,
  blobs: BlobStore,
  { id, job_id, file_type, blob_key }: DeletableArtifact,
  expiredBy?: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('job_artifact')
    .set({ blob_key: '' })
    .where('id', '=', id)
    .where('blob_key', '=', blob_key)
    .$if(expiredBy !== undefined, (query) => query.where('expire_at', '<=', expiredBy ?? 0))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await blobs.delete(blob_key)
  if (file_type === 'junit') await new TestReports(database, blobs).deleteTestReport(job_id)
  return true
}
