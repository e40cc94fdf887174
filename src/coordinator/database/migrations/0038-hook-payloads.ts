import type { Kysely } from 'kysely'

/** Payloads may hold values of CI variables; those that are there are made again from their facts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('hook_event').dropColumn('payload').execute()
  await db.schema.alterTable('hook_event').addColumn('payload_encrypted', 'text').execute()
}
