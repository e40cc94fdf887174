import type { Kysely } from 'kysely'

/** Summaries of the test reports of jobs (CI language, 17.2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('test_report')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey().references('job.id').onDelete('cascade'))
    .addColumn('suite_error', 'text')
    .addColumn('total_time', 'double precision', (c) => c.notNull())
    .addColumn('success_count', 'integer', (c) => c.notNull())
    .addColumn('failed_count', 'integer', (c) => c.notNull())
    .addColumn('skipped_count', 'integer', (c) => c.notNull())
    .addColumn('error_count', 'integer', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
