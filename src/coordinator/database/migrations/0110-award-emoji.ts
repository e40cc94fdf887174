import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Emoji of issues and merge requests, and the numbers of votes by which they are ordered. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('award_emoji'))
    .addColumn('issue_id', 'bigint', (c) => c.references('issue.id').onDelete('cascade'))
    .addColumn('merge_request_id', 'bigint', (c) => c.references('merge_request.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('award_emoji_of_issue', ['issue_id', 'user_id', 'name'])
    .addUniqueConstraint('award_emoji_of_merge_request', ['merge_request_id', 'user_id', 'name'])
    .execute()
  // The emoji of one user, for lists that ask for them.
  await createIndex(db, 'award_emoji', 'award_emoji_by_user', ['user_id', 'name', 'issue_id'])
  await createIndex(db, 'award_emoji', 'award_emoji_by_voter', ['user_id', 'name', 'merge_request_id'])
  for (const table of ['issue', 'merge_request']) {
    for (const column of ['upvotes', 'downvotes']) {
      await db.schema
        .alterTable(table)
        .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    }
  }
  await createIndex(db, 'issue', 'issue_list_by_upvotes', [
    ...['project_id', 'upvotes', 'id', 'state', 'confidential'],
  ])
  await createIndex(db, 'issue', 'issue_by_upvotes', ['upvotes', 'id', 'project_id', 'state'])
}

async function createIndex(
  { schema }: Kysely<unknown>,
  table: string,
  name: string,
  columns: string[],
): Promise<void> {
  await schema.createIndex(name).on(table).columns(columns).execute()
}
