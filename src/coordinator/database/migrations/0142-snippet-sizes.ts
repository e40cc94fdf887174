import type { Kysely } from 'kysely'

/** Sizes of the repositories of snippets; 0 until the next change of those that exist. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('snippet')
    .addColumn('size', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
}
