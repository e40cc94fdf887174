import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Builds of CI servers, whose status is asked for, and answers that chats get when a job has ended. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('external_build'))
    .addColumn('integration_id', 'bigint', (c) =>
      c.notNull().references('integration.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull())
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('state', 'text')
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('external_build_once')
    .on('external_build')
    .columns(['integration_id', 'sha', 'ref', 'tag'])
    .unique()
    .execute()
  await db.schema.createIndex('external_build_due').on('external_build').columns(['due_at', 'id']).execute()
  await db.schema.createIndex('external_build_of_project').on('external_build').column('project_id').execute()
  await db.schema.createIndex('external_build_of_user').on('external_build').column('user_id').execute()
  await id(db.schema.createTable('chat_reply'))
    .addColumn('pipeline_id', 'bigint', (c) =>
      c.notNull().unique().references('pipeline.id').onDelete('cascade'),
    )
    .addColumn('url_encrypted', 'text', (c) => c.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('chat_reply_due').on('chat_reply').columns(['due_at', 'id']).execute()
  await db.schema.createIndex('chat_reply_expiry').on('chat_reply').column('expires_at').execute()
}
