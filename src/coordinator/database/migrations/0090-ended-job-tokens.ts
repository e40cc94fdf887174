import type { Kysely } from 'kysely'

/** Last token of an ended job: only its holder may learn how the job ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('ended_token_digest', 'text').execute()
}
