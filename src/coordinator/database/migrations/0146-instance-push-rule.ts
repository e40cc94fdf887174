import type { Kysely } from 'kysely'

/** The push rule of the instance, for new projects of users and of groups without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('push_rule').addColumn('is_of_instance', 'boolean').execute()
  await db.schema
    .createIndex('push_rule_of_instance')
    .on('push_rule')
    .column('is_of_instance')
    .unique()
    .execute()
}
