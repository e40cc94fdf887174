import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Pages of wikis that have activity. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('wiki_page'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('format', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('wiki_page_by_slug')
    .on('wiki_page')
    .columns(['project_id', 'slug'])
    .unique()
    .execute()
  await db.schema
    .alterTable('activity')
    .addColumn('wiki_page_id', 'bigint', (c) => c.references('wiki_page.id').onDelete('cascade'))
    .execute()
  await sql`create index activity_by_wiki_page on activity (wiki_page_id) where wiki_page_id is not null`.execute(
    db,
  )
}
