import type { Database } from '../database/connect.js'
import type { BlobStore } from './blob-store.js'
import { TestReports } from './test-reports.js'

/** Rows per turn, so that a long list holds no transaction or memory. */
const BATCH = 500

/**
 * Periodic duty: deletes the bytes of artifacts whose time is over and marks their rows. The newest successful pipeline
 * of each ref keeps its artifacts whatever their age (CI language, 16.3). Returns how many were removed.
 */
export async function removeExpiredArtifacts(
  database: Database,
  blobs: BlobStore,
  now = Date.now(),
): Promise<number> {
  const testReports = new TestReports(database, blobs)
  let removed = 0
  for (;;) {
    const expired = await findExpired(database, now)
    for (const artifact of expired) {
      if (!(await markRemoved(database, artifact.id, now))) continue
      await blobs.delete(artifact.blob_key)
      if (artifact.file_type === 'junit') await testReports.forgetCases(artifact.job_id)
      removed++
    }
    if (expired.length < BATCH) return removed
  }
}

function findExpired(database: Database, now: number) {
  return database
    .selectFrom('job_artifact')
    .innerJoin('job', 'job.id', 'job_artifact.job_id')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .select(['job_artifact.id', 'job_artifact.job_id', 'job_artifact.file_type', 'job_artifact.blob_key'])
    .where('job_artifact.expire_at', '<=', now)
    .where('job_artifact.blob_key', '!=', '')
    .where((where) =>
      where.or([
        where('pipeline.status', '!=', 'success'),
        where.exists(
          where
            .selectFrom('pipeline as newer')
            .select('newer.id')
            .whereRef('newer.project_id', '=', 'pipeline.project_id')
            .whereRef('newer.ref', '=', 'pipeline.ref')
            .whereRef('newer.tag', '=', 'pipeline.tag')
            .whereRef('newer.id', '>', 'pipeline.id')
            .where('newer.status', '=', 'success'),
        ),
      ]),
    )
    .orderBy('job_artifact.id')
    .limit(BATCH)
    .execute()
}

/** False when somebody kept the artifact in the meantime. */
async function markRemoved(database: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('job_artifact')
    .set({ blob_key: '' })
    .where('id', '=', id)
    .where('expire_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
