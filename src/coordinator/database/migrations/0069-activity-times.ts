import type { Kysely } from 'kysely'

/** What is too old to be told is found by its time, to be forgotten. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('activity_by_time').on('activity').columns(['created_at', 'id']).execute()
}
