import type { Kysely } from 'kysely'

/** The size of each project, to order lists by it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('project')
    .addColumn('storage_size', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('project_in_order_of_storage_size')
    .on('project')
    .columns(['storage_size', 'id', 'visibility'])
    .execute()
}
