import type { Kysely } from 'kysely'

/** Index to find and delete old activity. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('activity_by_time').on('activity').columns(['created_at', 'id']).execute()
}
