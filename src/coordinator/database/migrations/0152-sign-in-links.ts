import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Links that sign a user in, once. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('sign_in_link'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('personal_token_id', 'bigint', (c) =>
      c.references('personal_access_token.id').onDelete('cascade'),
    )
    .addColumn('is_by_administrator', 'boolean', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sign_in_link_of_user').on('sign_in_link').column('user_id').execute()
  await db.schema
    .createIndex('sign_in_link_of_token')
    .on('sign_in_link')
    .column('personal_token_id')
    .execute()
}
