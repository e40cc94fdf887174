import type { Kysely } from 'kysely'

const EVENTS = ['member', 'subgroup', 'project']

/** Webhooks of groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('web_hook')
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .execute()
  for (const event of EVENTS) {
    await db.schema
      .alterTable('web_hook')
      .addColumn(`${event}_events`, 'boolean', (c) => c.notNull().defaultTo(false))
      .execute()
  }
  await db.schema.createIndex('web_hook_by_group_id').on('web_hook').columns(['group_id', 'id']).execute()
}
