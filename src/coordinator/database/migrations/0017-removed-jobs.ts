import type { Kysely } from 'kysely'

/** Jobs that were deleted, until their files are (CI language, 12.5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No references: it is about what is gone.
  await db.schema
    .createTable('removed_job')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
