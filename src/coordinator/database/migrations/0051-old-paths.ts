import { type Kysely, sql } from 'kysely'

/** Former paths of projects and namespaces (API, A6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('old_path')
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('old_path_of_one', sql`(project_id is null) <> (namespace_id is null)`)
    .execute()
  await sql`create unique index old_path_once on old_path (lower(path))`.execute(db)
  for (const owner of ['project_id', 'namespace_id']) {
    await db.schema.createIndex(`old_path_by_${owner}`).on('old_path').column(owner).execute()
  }
}
