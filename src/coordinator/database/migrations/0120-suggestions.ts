import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Changes that comments on lines of a diff suggest, and what it takes to move those comments to new versions. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('suggestion'))
    .addColumn('note_id', 'bigint', (c) => c.notNull().references('note.id').onDelete('cascade'))
    .addColumn('lines_above', 'integer', (c) => c.notNull())
    .addColumn('lines_below', 'integer', (c) => c.notNull())
    .addColumn('from_content', 'text', (c) => c.notNull())
    .addColumn('to_content', 'text', (c) => c.notNull())
    .addColumn('commit_sha', 'text')
    .execute()
  await db.schema.alterTable('note').addColumn('head_sha', 'text').execute()
  await db.schema.alterTable('note').addColumn('outdated_at', 'bigint').execute()
  await db.schema.createIndex('note_by_discussion').on('note').column('discussion_id').execute()
  await db.schema.createIndex('suggestion_by_note').on('suggestion').column('note_id').execute()
}
