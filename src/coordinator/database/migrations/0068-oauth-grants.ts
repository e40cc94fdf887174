import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * OAuth grants and their tokens (API, A14). Both are deleted with the application and with the user. Expired
 * tokens are found by their age.
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('oauth_grant'))
    .addColumn('application_id', 'bigint', (c) =>
      c.notNull().references('oauth_application.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('scopes', json, (c) => c.notNull())
    .addColumn('code_digest', 'text', (c) => c.unique())
    .addColumn('code_expires_at', 'bigint')
    .addColumn('code_used_at', 'bigint')
    .addColumn('redirect_uri', 'text')
    .addColumn('code_challenge', 'text')
    .addColumn('revoked_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('oauth_grant_by_application').on('oauth_grant').column('application_id').execute()
  await schema.createIndex('oauth_grant_by_user').on('oauth_grant').column('user_id').execute()

  await id(schema.createTable('oauth_token'))
    .addColumn('grant_id', 'bigint', (c) => c.notNull().references('oauth_grant.id').onDelete('cascade'))
    .addColumn('scopes', json, (c) => c.notNull())
    .addColumn('access_digest', 'text', (c) => c.notNull().unique())
    .addColumn('refresh_digest', 'text', (c) => c.unique())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('refreshed_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('oauth_token_by_grant').on('oauth_token').column('grant_id').execute()
  await schema.createIndex('oauth_token_by_age').on('oauth_token').column('created_at').execute()
}
