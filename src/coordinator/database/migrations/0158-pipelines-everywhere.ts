import { type Kysely, sql } from 'kysely'

/** Indexes for the lists of pipelines and jobs of all projects, and for jobs by their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createIndex('job_list_by_name')
    .on('job')
    .columns(['name', 'project_id', 'kind', 'id'])
    .execute()
  await schema
    .createIndex('pipeline_by_ref_name')
    .on('pipeline')
    .columns(['ref', 'project_id', 'id'])
    .execute()
  await schema
    .createIndex('pipeline_list_of_user')
    .on('pipeline')
    .columns(['user_id', 'id', 'project_id', 'source'])
    .execute()
  // Queries repeat this condition literally, so that the index is used.
  await sql`create index pipeline_under_way on pipeline (id, project_id, user_id)
    where status in ('created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running', 'canceling')`.execute(
    db,
  )
  await schema
    .createIndex('pipeline_by_finished_at')
    .on('pipeline')
    .columns(['finished_at', 'project_id', 'user_id'])
    .where(sql.ref('finished_at'), 'is not', null)
    .execute()
}
