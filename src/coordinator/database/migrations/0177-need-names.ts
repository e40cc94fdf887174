import { type Kysely, sql } from 'kysely'

/** The jobs of a pipeline that need a job, and the jobs that they need, can be read without the whole pipeline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('job_need')
    .addColumn('pipeline_id', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update job_need set pipeline_id = (select pipeline_id from job where job.id = job_need.job_id)`.execute(
    db,
  )
  await schema
    .createIndex('job_need_by_name')
    .on('job_need')
    .columns(['pipeline_id', 'name', 'job_id'])
    .execute()
  await schema.createIndex('job_by_name_in_pipeline').on('job').columns(['pipeline_id', 'name']).execute()
}
