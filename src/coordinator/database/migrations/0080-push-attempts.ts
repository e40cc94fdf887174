import type { Kysely } from 'kysely'

/** A push that cannot be completed is retried with growing delays, and finally no longer. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('push')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('push').addColumn('next_attempt_at', 'bigint').execute()
}
