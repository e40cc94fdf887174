import type { Kysely } from 'kysely'

/** Where the picture of a group lies in the blob store; null without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('namespace').addColumn('avatar_key', 'text').execute()
}
