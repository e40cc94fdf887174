import type { Kysely } from 'kysely'

/**
 * Job token allowlists: a project accepts its own tokens and those of listed projects and groups, or all
 * tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('job_token_scope_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await addList(db, 'job_token_project', 'allowed_project_id', 'project.id')
  await addList(db, 'job_token_group', 'allowed_group_id', 'namespace.id')
}

async function addList(
  { schema }: Kysely<unknown>,
  table: string,
  allowed: string,
  target: string,
): Promise<void> {
  await schema
    .createTable(table)
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn(allowed, 'bigint', (c) => c.notNull().references(target).onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${table}_once`, ['project_id', allowed])
    .execute()
  // For the deletion of listed projects and groups.
  await schema.createIndex(`${table}_by_${allowed}`).on(table).column(allowed).execute()
}
