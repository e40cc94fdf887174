import type { Kysely } from 'kysely'

/** Releases of groups are listed in the order of all releases, whatever their projects. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('release_in_order_of_released_at')
    .on('release')
    .columns(['released_at', 'id', 'project_id'])
    .execute()
}
