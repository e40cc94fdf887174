import type { Kysely } from 'kysely'

/** Weight of a runner, which decides which of several waiting runners gets a job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('runner')
    .addColumn('weight', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
