import type { Kysely } from 'kysely'

/** When keys of users were last used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('ssh_key').addColumn('last_used_at', 'bigint').execute()
}
