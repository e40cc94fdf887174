import type { Kysely } from 'kysely'

/** Which job made a release: one that did not get the answer asks once more (CI language, 3.14). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: it is compared with a job that runs, and means nothing once that has ended.
  await db.schema.alterTable('release').addColumn('job_id', 'bigint').execute()
}
