import type { Kysely } from 'kysely'

/** Indexes for lists of runners, jobs and pipelines, and the runner manager of a job (API, I4 and I6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  // No reference: jobs refer to their runner manager by its own system ID.
  await schema.alterTable('job').addColumn('runner_system_id', 'text').execute()

  await schema.createIndex('runner_by_runner_type').on('runner').columns(['runner_type', 'id']).execute()
  await schema.createIndex('job_by_runner').on('job').columns(['runner_id', 'id']).execute()
  // Pages far down the list are skipped in the index alone.
  await schema.dropIndex('job_by_project_id_and_id').execute()
  await schema.createIndex('job_list').on('job').columns(['project_id', 'kind', 'id']).execute()
  await schema.dropIndex('pipeline_by_project_id_and_id').execute()
  await schema.createIndex('pipeline_list').on('pipeline').columns(['project_id', 'id', 'source']).execute()
}
