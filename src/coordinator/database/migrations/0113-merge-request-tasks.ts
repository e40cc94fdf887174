import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Work on merge requests in the background. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  await id(db.schema.createTable('merge_request_task'))
    .addColumn('merge_request_id', 'bigint', (c) =>
      c.notNull().references('merge_request.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('params', json, (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('merge_request_task_once', ['merge_request_id', 'kind'])
    .execute()
  for (const column of ['project_id', 'user_id']) {
    await db.schema
      .createIndex(`merge_request_task_by_${column}`)
      .on('merge_request_task')
      .column(column)
      .execute()
  }
  // Merge requests that are merged when their pipeline succeeds, and those that are being merged.
  await db.schema
    .createIndex('merge_request_to_merge')
    .on('merge_request')
    .columns(['merge_when_pipeline_succeeds', 'state'])
    .execute()
  await db.schema
    .createIndex('merge_request_by_state')
    .on('merge_request')
    .columns(['state', 'updated_at'])
    .execute()
}
