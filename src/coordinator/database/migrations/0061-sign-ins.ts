import type { Kysely } from 'kysely'

/** Time and IP address of the last sign-ins with the account password (API, H). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = {
    current_sign_in_at: 'bigint',
    current_sign_in_ip: 'text',
    last_sign_in_at: 'bigint',
    last_sign_in_ip: 'text',
  } as const
  for (const [name, type] of Object.entries(columns)) {
    await db.schema.alterTable('user_profile').addColumn(name, type).execute()
  }
  await db.schema
    .alterTable('user_profile')
    .addColumn('sign_in_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
