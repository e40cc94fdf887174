import { type Kysely, sql } from 'kysely'

/** Indexes for lists of merge requests by title, by upvotes, by the time of the merge, and by the source branch. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['title', 'upvotes']) {
    await createIndex(db, `merge_request_list_by_${column}`, ['project_id', column, 'id', 'state'])
    await createIndex(db, `merge_request_by_${column}`, [column, 'id', 'project_id', 'state'])
  }
  await createIndex(db, 'merge_request_by_source_branch', ['source_branch', 'project_id'])
  // One that is not merged comes last in both directions.
  for (const [direction, missing] of [
    ['asc', '9007199254740991'],
    ['desc', '-1'],
  ] as const) {
    await sql`
      create index ${sql.ref(`merge_request_list_by_merged_at_${direction}`)} on merge_request
        (project_id, (coalesce(merged_at, ${sql.raw(missing)})), id)`.execute(db)
    await sql`
      create index ${sql.ref(`merge_request_by_merged_at_${direction}`)} on merge_request
        ((coalesce(merged_at, ${sql.raw(missing)})), id, project_id)`.execute(db)
  }
}

async function createIndex({ schema }: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await schema.createIndex(name).on('merge_request').columns(columns).execute()
}
