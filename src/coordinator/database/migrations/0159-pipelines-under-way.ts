import { type Kysely, sql } from 'kysely'

/** The status comes first: SQLite reads the index of another status column otherwise. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('pipeline_under_way').execute()
  // Queries repeat this condition literally, so that the index is used.
  await sql`create index pipeline_under_way on pipeline (status, id, project_id, user_id)
    where status in ('created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running', 'canceling')`.execute(
    db,
  )
}
