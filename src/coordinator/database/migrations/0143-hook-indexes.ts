import { type Kysely, sql } from 'kysely'

const INDEXES = {
  web_hook_by_project_id: ['project_id', 'id'],
  web_hook_by_group_id: ['group_id', 'id'],
  web_hook_of_integration: ['integration_id'],
} as const

/**
 * Indexes for the hooks of projects, of groups, of integrations and of the instance, each without the others. Most
 * hooks are of projects, and have null in the other columns: an index with them makes SQLite read all hooks to find
 * those of the instance.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    await db.schema.dropIndex(name).execute()
    await db.schema
      .createIndex(name)
      .on('web_hook')
      .columns([...columns])
      .where(sql.ref(columns[0]), 'is not', null)
      .execute()
  }
  await db.schema
    .createIndex('web_hook_of_instance')
    .on('web_hook')
    .column('id')
    .where(sql.ref('project_id'), 'is', null)
    .where(sql.ref('group_id'), 'is', null)
    .execute()
}
