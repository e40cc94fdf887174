import type { Kysely } from 'kysely'

/** Blob key of the avatar of a group; null without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('namespace').addColumn('avatar_key', 'text').execute()
}
