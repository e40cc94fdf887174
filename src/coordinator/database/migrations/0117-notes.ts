import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Notes of issues, merge requests and epics. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  await id(db.schema.createTable('note'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('issue_id', 'bigint', (c) => c.references('issue.id').onDelete('cascade'))
    .addColumn('merge_request_id', 'bigint', (c) => c.references('merge_request.id').onDelete('cascade'))
    .addColumn('epic_id', 'bigint', (c) => c.references('epic.id').onDelete('cascade'))
    .addColumn('discussion_id', 'text', (c) => c.notNull())
    .addColumn('type', 'text')
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('system', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('action', 'text')
    .addColumn('internal', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('resolved_at', 'bigint')
    .addColumn('resolved_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('position', json)
    .addColumn('original_position', json)
    .addColumn('line_code', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('last_edited_at', 'bigint')
    .execute()
  for (const owner of ['issue_id', 'merge_request_id', 'epic_id']) {
    await createIndex(db, `note_of_${owner}_by_created_at`, [owner, 'created_at', 'id', 'system'])
    await createIndex(db, `note_of_${owner}_by_updated_at`, [owner, 'updated_at', 'id'])
    await createIndex(db, `note_of_${owner}_by_discussion`, [owner, 'discussion_id', 'id'])
  }
  await createIndex(db, 'note_by_author', ['author_id', 'id'])
  await createIndex(db, 'note_of_project', ['project_id', 'id'])
  await createIndex(db, 'note_by_resolver', ['resolved_by_id'])
}

async function createIndex({ schema }: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await schema.createIndex(name).on('note').columns(columns).execute()
}
