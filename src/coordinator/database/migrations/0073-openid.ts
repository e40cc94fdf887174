import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * OAuth device requests (API, A14; RFC 8628), and the nonce of OpenID Connect, which is passed from the
 * request to the token. A device request is deleted with its application and with its grant.
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  const { schema } = db

  await schema.alterTable('oauth_grant').addColumn('nonce', 'text').execute()
  await id(schema.createTable('oauth_device_request'))
    .addColumn('application_id', 'bigint', (c) =>
      c.notNull().references('oauth_application.id').onDelete('cascade'),
    )
    .addColumn('scopes', json, (c) => c.notNull())
    .addColumn('device_digest', 'text', (c) => c.notNull().unique())
    .addColumn('user_digest', 'text', (c) => c.notNull().unique())
    .addColumn('decision', 'text')
    .addColumn('grant_id', 'bigint', (c) => c.references('oauth_grant.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('polled_by_header_at', 'bigint')
    .addColumn('polled_by_body_at', 'bigint')
    .execute()
  for (const column of ['application_id', 'grant_id', 'expires_at']) {
    await schema
      .createIndex(`oauth_device_request_by_${column.replace(/_(id|at)$/, '')}`)
      .on('oauth_device_request')
      .column(column)
      .execute()
  }
}
