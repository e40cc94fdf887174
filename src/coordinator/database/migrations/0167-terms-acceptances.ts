import type { Kysely } from 'kysely'

/** Which terms of service users have accepted last. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('terms_acceptance')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('terms_version', 'bigint', (c) => c.notNull())
    .addColumn('accepted_at', 'bigint', (c) => c.notNull())
    .execute()
}
