import type { Kysely } from 'kysely'

/** Number of fetches per repository and day (API, C2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('project_fetch')
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_fetch_once', ['project_id', 'day'])
    .execute()
  await db.schema.createIndex('project_fetch_by_day').on('project_fetch').column('day').execute()
}
