import type { Kysely } from 'kysely'

/**
 * The pipelines of a commit, and those with a source, are found without visiting each pipeline, in the order of lists.
 * The first index replaces one without `id`.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropIndex('pipeline_by_project_id_and_sha').execute()
  await schema.createIndex('pipeline_by_commit').on('pipeline').columns(['project_id', 'sha', 'id']).execute()
  await schema
    .createIndex('pipeline_list_by_source')
    .on('pipeline')
    .columns(['source', 'project_id', 'id'])
    .execute()
}
