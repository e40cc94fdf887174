import type { Kysely } from 'kysely'

/** Failed sign-in attempts, counted over all coordinators by client and by account. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('failed_attempt')
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('reset_at', 'bigint', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('failed_attempt_pkey', ['subject', 'reset_at'])
    .execute()
  await schema.createIndex('failed_attempt_by_reset_at').on('failed_attempt').column('reset_at').execute()
}
