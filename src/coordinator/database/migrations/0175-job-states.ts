import type { Kysely } from 'kysely'

/**
 * The few distinct states that the jobs of a pipeline are in can be read from this index without visiting each job. It
 * contains the columns of `job_list_of_pipeline` in another order.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('job_state_in_pipeline')
    .on('job')
    .columns([
      'pipeline_id',
      'retried',
      'stage_index',
      'stage_id',
      'status',
      'allow_failure',
      'scheduling_type',
    ])
    .execute()
}
