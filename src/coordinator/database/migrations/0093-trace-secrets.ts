import type { Kysely } from 'kysely'

/** The secrets that a job was given, for as long as its runner may send a trace: the row ends with the lease. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('trace_secret')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey().references('lease.job_id').onDelete('cascade'))
    .addColumn('secrets_encrypted', 'text', (c) => c.notNull())
    .execute()
}
