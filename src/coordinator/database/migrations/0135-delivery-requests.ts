import type { Kysely } from 'kysely'

/** Deliveries of integrations that take several requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('hook_delivery')
    .addColumn('requests_done', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
