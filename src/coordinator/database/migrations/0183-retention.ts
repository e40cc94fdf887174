import type { Kysely } from 'kysely'

/** The age limit of the pipelines of a project, and what the limits of retention have deleted. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('project').addColumn('ci_delete_pipelines_in_seconds', 'integer').execute()
  await schema
    .createTable('retention_removal')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('number', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('retention_removal_pkey', ['day', 'project_id', 'kind'])
    .execute()
}
