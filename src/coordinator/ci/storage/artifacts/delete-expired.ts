import type { Database } from '../../../database/connect.js'
import type { BlobStore } from '../blob-store.js'
import { deleteArtifact } from './delete-artifact.js'

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
  let removed = 0
  for (;;) {
    const expired = await findExpired(database, now)
    for (const artifact of expired) {
      // Not deleted if a user has chosen to keep it since.
      if (await deleteArtifact(database, blobs, artifact, now)) removed++
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
