import type { Kysely } from 'kysely'

/** The users who have registered applications. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('oauth_application')
    .addColumn('owner_id', 'bigint', (c) => c.references('user.id').onDelete('cascade'))
    .execute()
  await schema
    .createIndex('oauth_application_of_owner')
    .on('oauth_application')
    .columns(['owner_id', 'id'])
    .execute()
}
