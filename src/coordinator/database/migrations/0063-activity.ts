import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * Activity of users in projects, for event lists (API, G8). Rows are deleted with their project and their
 * user.
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('activity'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('ref_kind', 'text')
    .addColumn('ref', 'text')
    .addColumn('commit_from', 'text')
    .addColumn('commit_to', 'text')
    .addColumn('commit_count', 'integer')
    .addColumn('commit_title', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('activity_by_project').on('activity').columns(['project_id', 'id']).execute()
  await schema.createIndex('activity_by_author').on('activity').columns(['author_id', 'id']).execute()
}
