import type { Kysely } from 'kysely'

/** How long the logs of ended jobs are, which their records tell among what the jobs left (API, I4). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('trace_bytes', 'bigint').execute()
}
