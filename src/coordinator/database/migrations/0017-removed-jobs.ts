import type { Kysely } from 'kysely'

/** Deleted jobs, until their files are deleted (CI language, 12.5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No references: the rows describe deleted objects.
  await db.schema
    .createTable('removed_job')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
