import type { Kysely } from 'kysely'

/** Settings of the instance that administrators change. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('application_setting')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text')
    .addColumn('value_encrypted', 'text')
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
}
