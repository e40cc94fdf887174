import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Pipeline trigger tokens, and the data that a pipeline keeps of its trigger (API, I2). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('trigger_token'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('owner_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('token_digest', 'text', (c) => c.notNull().unique())
    .addColumn('token_encrypted', 'text', (c) => c.notNull())
    .addColumn('short_token', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('trigger_token_by_project_id')
    .on('trigger_token')
    .columns(['project_id', 'id'])
    .execute()
  await schema.createIndex('trigger_token_by_owner_id').on('trigger_token').column('owner_id').execute()

  // No reference: the value is kept when the token is deleted.
  await schema.alterTable('pipeline').addColumn('trigger_short_token', 'text').execute()
  await schema.alterTable('pipeline').addColumn('trigger_payload_encrypted', 'text').execute()
}
