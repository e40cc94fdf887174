import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'

/** Projects whose rows are deleted in steps, and the one index that this needs on SQLite. */
export async function up(database: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await database.schema.alterTable('project').addColumn('deletion_started_at', 'bigint').execute()
  await sql`
    create index project_deletion_started on project (deletion_started_at)
      where deletion_started_at is not null`.execute(database)
  // To delete a user, SQLite looks for their jobs and blocks the process that long. PostgreSQL would write these indexes
  // whenever a row changes, and reads the tables beside its other work.
  if (dialect === 'postgres') return
  for (const table of ['job', 'deployment', 'commit_status'])
    await sql`create index ${sql.ref(`${table}_by_user_id`)} on ${sql.table(table)} (user_id)`.execute(
      database,
    )
}
