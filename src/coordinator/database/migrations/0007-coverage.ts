import type { Kysely } from 'kysely'

/** What the logs of jobs say about the coverage of their tests (CI language, 17.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('coverage', 'double precision').execute()
}
