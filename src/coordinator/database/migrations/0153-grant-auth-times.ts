import type { Kysely } from 'kysely'

/** When users who authorize an application in a session have signed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('oauth_grant').addColumn('auth_time', 'bigint').execute()
}
