import { type Kysely, sql } from 'kysely'

/** Pipelines of merge requests. A pipeline outlives its merge request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('pipeline')
    .addColumn('merge_request_id', 'bigint', (c) => c.references('merge_request.id').onDelete('set null'))
    .execute()
  // Most pipelines have no merge request.
  await sql`create index pipeline_of_merge_request on pipeline (merge_request_id, id)
    where merge_request_id is not null`.execute(db)
}
