import type { Kysely } from 'kysely'

/** What is known of the wikis of projects, whose pages are in git. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wiki')
    .addColumn('project_id', 'bigint', (c) => c.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('head_sha', 'text')
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
}
