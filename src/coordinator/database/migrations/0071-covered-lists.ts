import type { Kysely } from 'kysely'

/**
 * Covering indexes for jobs of a pipeline or a commit, and for releases of a group. They include the columns
 * that the lists filter by. One of them tells whether a job was retried, which changes at most once.
 */
const INDEXES: Record<string, { of: string; columns: string[]; instead: string }> = {
  job_list_of_pipeline: {
    of: 'job',
    columns: ['pipeline_id', 'stage_index', 'retried'],
    instead: 'job_by_pipeline_id_and_stage_index',
  },
  project_list_in_namespace: {
    of: 'project',
    columns: [
      'namespace_id',
      'created_at',
      'id',
      'visibility',
      'archived',
      'name',
      'path',
      'releases_access_level',
    ],
    instead: 'project_list_of_namespace',
  },
}

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const [name, { of, columns, instead }] of Object.entries(INDEXES)) {
    await schema.createIndex(name).on(of).columns(columns).execute()
    await schema.dropIndex(instead).execute()
  }
}
