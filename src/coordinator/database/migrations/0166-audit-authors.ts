import type { Kysely } from 'kysely'

/** An index for the audit events of an author. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('audit_event_list_of_author')
    .on('audit_event')
    .columns(['author_id', 'id', 'created_at'])
    .execute()
}
