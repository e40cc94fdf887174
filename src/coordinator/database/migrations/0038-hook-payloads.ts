import type { Kysely } from 'kysely'

/**
 * Payloads may contain values of CI variables, so they are stored encrypted. Existing ones are rendered again
 * from their facts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('hook_event').dropColumn('payload').execute()
  await db.schema.alterTable('hook_event').addColumn('payload_encrypted', 'text').execute()
}
