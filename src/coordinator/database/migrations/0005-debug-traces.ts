import type { Kysely } from 'kysely'

/** Marks logs with the output of `CI_DEBUG_TRACE` (runner protocol, 4.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('job')
    .addColumn('debug_trace', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
