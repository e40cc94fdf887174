import type { Insertable } from 'kysely'

import type { Database } from '../../../src/coordinator/database/connect.js'
import type { Tables } from '../../../src/coordinator/database/tables/database-tables.js'

/** Inserts the archive of a job, by default one byte that never expires. Nothing is written to the blob store. */
export async function insertArtifact(
  database: Database,
  job: { id: number; project_id: number },
  values: Partial<Insertable<Tables['job_artifact']>> = {},
): Promise<void> {
  await database.updateTable('job').set({ has_outputs: true }).where('id', '=', job.id).execute()
  await database
    .insertInto('job_artifact')
    .values({
      project_id: job.project_id,
      job_id: job.id,
      file_type: 'archive',
      file_format: 'zip',
      filename: 'artifacts.zip',
      size: 1,
      sha256: '',
      blob_key: 'k',
      expire_at: null,
      created_at: Date.now(),
      ...values,
    })
    .execute()
}
