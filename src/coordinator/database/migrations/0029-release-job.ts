import type { Kysely } from 'kysely'

/**
 * Job that created a release; if it did not receive the answer, it repeats the request (CI language, 3.14).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: the value is compared with a running job, and has no meaning after that job.
  await db.schema.alterTable('release').addColumn('job_id', 'bigint').execute()
}
