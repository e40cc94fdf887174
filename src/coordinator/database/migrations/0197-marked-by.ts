import { type Kysely, sql } from 'kysely'

/**
 * Push mirrors, and marks for deletion, get the user for whom the server acts later. For mirrors that are there, it is the
 * creator of the project; who has marked a project is in the audit events.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['remote_mirror', 'user_id'],
    ['project', 'marked_for_deletion_by_id'],
  ] as const) {
    await database.schema
      .alterTable(table)
      .addColumn(column, 'bigint', (c) => c.references('user.id').onDelete('set null'))
      .execute()
    // Finds what refers to a user who is deleted.
    await sql`create index ${sql.ref(`${table}_${column}`)} on ${sql.table(table)} (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(database)
  }
  await sql`update remote_mirror set
      user_id = (select creator_id from project where project.id = remote_mirror.project_id)`.execute(
    database,
  )
  await sql`update project set marked_for_deletion_by_id = (
      select author_id from audit_event
      where entity_type = 'Project' and entity_id = project.id
        and cast(details as text) like '%"Mark a project for deletion"%'
        and author_id in (select id from "user")
      order by audit_event.id desc limit 1)
    where marked_for_deletion_at is not null`.execute(database)
}
