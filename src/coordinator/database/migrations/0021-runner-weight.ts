import type { Kysely } from 'kysely'

/** Which of several waiting runners is to have a job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('runner')
    .addColumn('weight', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
