import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Epics of groups. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('epic'))
    .addColumn('group_id', 'bigint', (c) => c.notNull().references('namespace.id').onDelete('cascade'))
    .addColumn('iid', 'bigint', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('opened'))
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('start_date', 'text')
    .addColumn('due_date', 'text')
    .addColumn('closed_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('epic_of_group', ['group_id', 'iid'])
    .execute()
  for (const column of ['created_at', 'updated_at', 'title']) {
    await db.schema
      .createIndex(`epic_list_by_${column}`)
      .on('epic')
      .columns(['group_id', column, 'id'])
      .execute()
  }
  await db.schema.createIndex('epic_by_author').on('epic').columns(['author_id', 'id']).execute()
  await db.schema
    .alterTable('namespace')
    .addColumn('epic_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
