import type { Kysely } from 'kysely'

/** Code coverage from job logs (CI language, 17.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('coverage', 'double precision').execute()
}
