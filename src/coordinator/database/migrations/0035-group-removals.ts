import type { Kysely } from 'kysely'

/** Groups whose deletion is not finished. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('group_removal')
    .addColumn('group_id', 'bigint', (c) => c.primaryKey().references('namespace.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
