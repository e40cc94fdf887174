import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Changes of the labels, the state and the milestone of issues and merge requests. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('resource_event'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('issue_id', 'bigint', (c) => c.references('issue.id').onDelete('cascade'))
    .addColumn('merge_request_id', 'bigint', (c) => c.references('merge_request.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('label_id', 'bigint', (c) => c.references('label.id').onDelete('set null'))
    .addColumn('milestone_id', 'bigint', (c) => c.references('milestone.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  for (const [name, columns] of [
    ['resource_event_of_issue', ['issue_id', 'kind', 'id']],
    ['resource_event_of_merge_request', ['merge_request_id', 'kind', 'id']],
    ['resource_event_by_user', ['user_id']],
    ['resource_event_by_label', ['label_id']],
    ['resource_event_by_milestone', ['milestone_id']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('resource_event')
      .columns([...columns])
      .execute()
  }
}
