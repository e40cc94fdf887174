import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Snippets, whose files are in git, and their notes and emoji. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('snippet'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('visibility', 'text', (c) => c.notNull())
    .addColumn('is_ready', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('user_agent', 'text')
    .addColumn('ip_address', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  const index = (name: string, columns: string[]) => schema.createIndex(name).on('snippet').columns(columns)
  await index('snippet_of_project', ['project_id', 'id']).execute()
  await index('snippet_of_author', ['author_id', 'id']).execute()
  for (const table of ['note', 'award_emoji']) {
    await schema
      .alterTable(table)
      .addColumn('snippet_id', 'bigint', (c) => c.references('snippet.id').onDelete('cascade'))
      .execute()
  }
  await schema.createIndex('note_of_snippet').on('note').columns(['snippet_id', 'id']).execute()
  await schema
    .createIndex('award_emoji_of_snippet')
    .on('award_emoji')
    .columns(['snippet_id', 'user_id', 'name'])
    .unique()
    .execute()
}
