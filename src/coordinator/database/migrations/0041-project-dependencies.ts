import { type Kysely, sql } from 'kysely'

/**
 * Jobs of other projects whose artifacts a running job downloads, and an index to find the latest of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('project_dependency')
    .addColumn('job_id', 'bigint', (c) => c.notNull().references('job.id').onDelete('cascade'))
    .addColumn('needed_job_id', 'bigint', (c) => c.notNull().references('job.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('project_dependency_key', ['job_id', 'needed_job_id'])
    .execute()
  await schema
    .createIndex('project_dependency_by_needed_job')
    .on('project_dependency')
    .column('needed_job_id')
    .execute()
  await sql`create index job_latest_success on job (project_id, ref, name, id) where status = 'success'`.execute(
    db,
  )
}
