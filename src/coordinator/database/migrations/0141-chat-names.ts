import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Users of chat services who give commands as users of this instance. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('chat_name'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('integration_id', 'bigint', (c) =>
      c.notNull().references('integration.id').onDelete('cascade'),
    )
    .addColumn('team_id', 'text', (c) => c.notNull())
    .addColumn('team_domain', 'text')
    .addColumn('chat_id', 'text', (c) => c.notNull())
    .addColumn('chat_name', 'text')
    .addColumn('last_used_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('chat_name_of_integration')
    .on('chat_name')
    .columns(['integration_id', 'team_id', 'chat_id'])
    .unique()
    .execute()
  await db.schema.createIndex('chat_name_of_user').on('chat_name').column('user_id').execute()
  await id(db.schema.createTable('chat_name_code'))
    .addColumn('integration_id', 'bigint', (c) =>
      c.notNull().references('integration.id').onDelete('cascade'),
    )
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('team_id', 'text', (c) => c.notNull())
    .addColumn('team_domain', 'text')
    .addColumn('chat_id', 'text', (c) => c.notNull())
    .addColumn('chat_name', 'text')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('chat_name_code_of_integration')
    .on('chat_name_code')
    .columns(['integration_id', 'team_id', 'chat_id'])
    .unique()
    .execute()
  await db.schema.createIndex('chat_name_code_expiry').on('chat_name_code').column('expires_at').execute()
}
