import type { Kysely } from 'kysely'

/** Which keys their users were reminded of, because they end soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('ssh_key')
    .addColumn('reminded', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
