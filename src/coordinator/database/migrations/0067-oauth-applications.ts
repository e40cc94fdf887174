import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** OAuth applications (API, A14). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  await id(db.schema.createTable('oauth_application'))
    .addColumn('uid', 'text', (c) => c.notNull().unique())
    .addColumn('secret_digest', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('redirect_uris', json, (c) => c.notNull())
    .addColumn('scopes', json, (c) => c.notNull())
    .addColumn('confidential', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
