import type { Database } from '../../../database/connect.js'
import type { BlobStore } from '../blob-store.js'
import { TestReports } from './test-reports.js'

/** Rows per batch, to limit transactions and memory. */
const BATCH = 500

/**
 * Periodic task: deletes the bytes of expired artifacts and marks their rows. Locked artifacts are kept
 * regardless of age (`artifact-locks.ts`). Returns the number of deleted artifacts.
 */
export async function deleteExpiredArtifacts(
  database: Database,
  blobs: BlobStore,
  now = Date.now(),
): Promise<number> {
  const testReports = new TestReports(database, blobs)
  let removed = 0
  for (;;) {
    const expired = await findExpired(database, now)
    for (const artifact of expired) {
      if (!(await markDeleted(database, artifact.id, now))) continue
      await blobs.delete(artifact.blob_key)
      if (artifact.file_type === 'junit') await testReports.deleteTestReport(artifact.job_id)
      removed++
    }
    if (expired.length < BATCH) return removed
  }
}

function findExpired(database: Database, now: number) {
  return database
    .selectFrom('job_artifact')
    .innerJoin('job', 'job.id', 'job_artifact.job_id')
    .leftJoin('downstream_pipeline as origin', 'origin.pipeline_id', 'job.pipeline_id')
    .select(['job_artifact.id', 'job_artifact.job_id', 'job_artifact.file_type', 'job_artifact.blob_key'])
    .where('job_artifact.expire_at', '<=', now)
    .where('job_artifact.blob_key', '!=', '')
    .where(({ not, exists, ref, selectFrom }) =>
      not(
        exists(
          selectFrom('artifact_lock')
            .select('artifact_lock.pipeline_id')
            .where(({ eb, or }) =>
              or([
                eb('artifact_lock.pipeline_id', '=', ref('job.pipeline_id')),
                eb('artifact_lock.pipeline_id', '=', ref('origin.root_id')),
              ]),
            ),
        ),
      ),
    )
    .orderBy('job_artifact.id')
    .limit(BATCH)
    .execute()
}

/** False if a user chose to keep the artifact in the meantime. */
async function markDeleted(database: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('job_artifact')
    .set({ blob_key: '' })
    .where('id', '=', id)
    .where('expire_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
