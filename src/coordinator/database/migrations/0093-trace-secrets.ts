import type { Kysely } from 'kysely'

/** Secrets of a job, kept while its runner may send a log; the row is deleted with the lease. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('trace_secret')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey().references('lease.job_id').onDelete('cascade'))
    .addColumn('secrets_encrypted', 'text', (c) => c.notNull())
    .execute()
}
