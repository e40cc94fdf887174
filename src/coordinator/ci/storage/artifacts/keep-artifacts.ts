import { chunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'

/** Jobs per statement in both databases. */
const JOBS_PER_QUERY = 200

/** Lets the files of jobs not expire that have not expired yet. True if there are any. */
export async function keepArtifacts(database: Database, jobIds: readonly number[]): Promise<boolean> {
  let isKept = false
  for (const some of chunks(jobIds, JOBS_PER_QUERY)) {
    const { numUpdatedRows } = await database
      .updateTable('job_artifact')
      .set({ expire_at: null })
      .where('job_id', 'in', some)
      .where('blob_key', '!=', '')
      .executeTakeFirst()
    isKept ||= numUpdatedRows > 0n
  }
  return isKept
}
