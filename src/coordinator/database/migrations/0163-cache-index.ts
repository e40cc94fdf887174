import type { Kysely } from 'kysely'

/** A part of the keys of caches that changes when the caches of a project are cleared. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('project')
    .addColumn('jobs_cache_index', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
