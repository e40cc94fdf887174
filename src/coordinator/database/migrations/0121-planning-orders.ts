import { type Kysely, sql } from 'kysely'

/** Indexes for the orders and the filters of lists of issues and merge requests, also of several projects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIssueIndexes(db)
  await createIndex(db, 'merge_request', 'merge_request_list_by_draft', [
    ...['project_id', 'draft', 'created_at', 'id', 'state'],
  ])
  // For filters without an index: it leads to the rows in their order, which is how they are stored.
  for (const table of ['issue', 'merge_request'])
    await createIndex(db, table, `${table}_of_project_in_order`, ['project_id'])
  // An index of all states would keep SQLite from those of the orders.
  await db.schema.dropIndex('merge_request_by_state').execute()
  await sql`create index merge_request_locked on merge_request (updated_at) where state = 'locked'`.execute(
    db,
  )
  // Most projects of a large group have no issues, and none that were proposed.
  for (const column of ['issue_count', 'merge_request_count']) {
    await sql`
      create index ${sql.ref(`project_by_${column}`)} on project (namespace_id, id)
        where ${sql.ref(column)} > 0`.execute(db)
  }
}

async function createIssueIndexes(db: Kysely<unknown>): Promise<void> {
  // Rows without a value are last in both directions.
  for (const [column, direction, missing] of [
    ['due_date', 'asc', "'9999-12-31'"],
    ['due_date', 'desc', "'0000-01-01'"],
    ['weight', 'asc', '9999999999'],
    ['weight', 'desc', '-1'],
    ['relative_position', 'asc', '9007199254740991'],
  ] as const) {
    await sql`
      create index ${sql.ref(`issue_by_${column}_${direction}`)} on issue
        ((coalesce(${sql.ref(column)}, ${sql.raw(missing)})), id, project_id)`.execute(db)
  }
  await createIndex(db, 'issue', 'issue_list_by_title', ['project_id', 'title', 'id', 'state'])
  await createIndex(db, 'issue', 'issue_by_title', ['title', 'id', 'project_id', 'state'])
  await createIndex(db, 'issue', 'issue_list_by_weight', ['project_id', 'weight', 'created_at', 'id'])
  // Numbers of issues by state.
  await createIndex(db, 'issue', 'issue_list_by_state', ['project_id', 'state', 'confidential', 'author_id'])
}

async function createIndex(
  { schema }: Kysely<unknown>,
  table: string,
  name: string,
  columns: string[],
): Promise<void> {
  await schema.createIndex(name).on(table).columns(columns).execute()
}
