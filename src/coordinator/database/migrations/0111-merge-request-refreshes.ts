import type { Kysely } from 'kysely'

/** Who has pushed a version of a merge request, and whether what follows from it was done. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('merge_request_version')
    .addColumn('pushed_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .execute()
  await schema
    .alterTable('merge_request_version')
    .addColumn('reported', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await schema
    .createIndex('merge_request_version_by_pusher')
    .on('merge_request_version')
    .column('pushed_by_id')
    .execute()
}
