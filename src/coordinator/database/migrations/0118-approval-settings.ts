import type { Kysely } from 'kysely'

/** What projects say about approvals of merge requests. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('project')
    .addColumn('reset_approvals_on_push', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await schema
    .alterTable('project')
    .addColumn('merge_requests_author_approval', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
