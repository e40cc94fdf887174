import type { Kysely } from 'kysely'

/** Sizes of the logs of ended jobs, which job records list with the artifacts (API, I4). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('trace_bytes', 'bigint').execute()
}
