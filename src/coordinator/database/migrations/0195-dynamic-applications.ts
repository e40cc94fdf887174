import type { Kysely } from 'kysely'

/** Applications that have registered themselves. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('oauth_application')
    .addColumn('dynamic', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
