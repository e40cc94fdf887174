import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** To-do items of users. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('todo'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('issue_id', 'bigint', (c) => c.references('issue.id').onDelete('cascade'))
    .addColumn('merge_request_id', 'bigint', (c) => c.references('merge_request.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('pending'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  // The last columns are what lists filter by.
  await createIndex(db, 'todo_list', [
    ...['user_id', 'state', 'id', 'project_id', 'issue_id', 'merge_request_id', 'action', 'author_id'],
  ])
  for (const column of ['author_id', 'project_id', 'issue_id', 'merge_request_id']) {
    await createIndex(db, `todo_by_${column}`, [column])
  }
  // One pending item of a user for each target.
  for (const column of ['issue_id', 'merge_request_id']) {
    await sql`
      create unique index ${sql.id(`todo_pending_by_${column}`)} on todo (user_id, ${sql.id(column)})
        where state = 'pending'`.execute(db)
  }
}

async function createIndex({ schema }: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await schema.createIndex(name).on('todo').columns(columns).execute()
}
