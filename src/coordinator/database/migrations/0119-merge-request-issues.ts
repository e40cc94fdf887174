import type { Kysely } from 'kysely'

/** Merge requests remember the issues that they mention, too, besides those that they close. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('merge_request_closes_issue').renameTo('merge_request_issue').execute()
  await schema
    .alterTable('merge_request_issue')
    .addColumn('closes', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
}
