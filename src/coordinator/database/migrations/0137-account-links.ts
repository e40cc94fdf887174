import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Links in mails that confirm an address or set a password; and which tokens their users were reminded of. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('account_link'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('account_link_of_user')
    .on('account_link')
    .columns(['user_id', 'kind'])
    .execute()
  await db.schema.createIndex('account_link_end').on('account_link').column('expires_at').execute()
  await db.schema
    .alterTable('personal_access_token')
    .addColumn('reminded', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
