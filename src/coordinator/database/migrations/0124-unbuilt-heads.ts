import type { Kysely } from 'kysely'

/** Heads of merge requests for which no pipeline is wanted. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('merge_request').addColumn('unbuilt_head_sha', 'text').execute()
}
