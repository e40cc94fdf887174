import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Browsers that are signed in. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('web_session'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('token_digest', 'text', (c) => c.notNull().unique())
    .addColumn('personal_token_id', 'bigint', (c) =>
      c.references('personal_access_token.id').onDelete('cascade'),
    )
    .addColumn('idle_timeout', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text')
    .execute()
  await db.schema.createIndex('web_session_of_user').on('web_session').column('user_id').execute()
  await db.schema.createIndex('web_session_of_token').on('web_session').column('personal_token_id').execute()
}
