import type { Kysely } from 'kysely'

/** The token that a job had until it ended: only its holder may learn how the job ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('ended_token_digest', 'text').execute()
}
