import { type Kysely, sql } from 'kysely'

/**
 * Indexes for the lists of pipelines by status, and for the latest pipeline of each branch or tag. Pipelines of
 * merge requests have neither.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('pipeline_list_by_status')
    .on('pipeline')
    .columns(['project_id', 'status', 'id', 'source', 'user_id'])
    .execute()
  await schema
    .createIndex('pipeline_list_by_ref')
    .on('pipeline')
    .columns(['project_id', 'tag', 'ref', 'id', 'source', 'merge_request_id'])
    .where(sql.ref('merge_request_id'), 'is', null)
    .execute()
}
