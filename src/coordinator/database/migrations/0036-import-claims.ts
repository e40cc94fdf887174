import type { Kysely } from 'kysely'

/** End of the claim of the coordinator that fills a repository (API, C2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('project_import').addColumn('claimed_until', 'bigint').execute()
  await db.schema.createIndex('job_artifact_by_project').on('job_artifact').column('project_id').execute()
}
