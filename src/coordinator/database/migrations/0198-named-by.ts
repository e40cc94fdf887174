import { type Kysely, sql } from 'kysely'

const COLUMNS = ['named_by_issue_id', 'named_by_merge_request_id', 'named_by_project_id'] as const
const BATCH = 500
/** `mentioned in issue #4`, `mentioned in merge request group/app!2`, `mentioned in commit group/app@12345678`. */
const BODY = /^mentioned in (issue|merge request|commit) (?:(.*?)@)?(.*?)(?:[#!](\d+))?$/

interface NoteRow {
  id: number
  project_id: number
  body: string
}

/**
 * Notes that say where something is named get the ID of that place, for its visibility may change. In notes that are there,
 * it is looked up by what the text says; where it is not found, nobody sees the note any more.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const column of COLUMNS) await database.schema.alterTable('note').addColumn(column, 'bigint').execute()
  for (let last = 0; ;) {
    const { rows } = await sql<NoteRow>`select id, project_id, body from note
      where action = 'cross_reference' and project_id is not null and id > ${last}
      order by id limit ${BATCH}`.execute(database)
    for (const row of rows) await fill(database, row)
    const next = rows.at(-1)
    if (!next) return
    last = next.id
  }
}

async function fill(database: Kysely<unknown>, { id, project_id, body }: NoteRow): Promise<void> {
  const [, kind, pathOfCommit, path, iid] = BODY.exec(body) ?? []
  const isCommit = kind === 'commit'
  const fullPath = isCommit ? pathOfCommit : path
  const projectId = fullPath ? await projectOf(database, fullPath) : project_id
  if (kind === undefined || projectId === undefined) return
  if (isCommit) {
    await sql`update note set named_by_project_id = ${projectId} where id = ${id}`.execute(database)
    return
  }
  const table = kind === 'issue' ? 'issue' : 'merge_request'
  await sql`update note set ${sql.ref(`named_by_${table}_id`)} = (
      select id from ${sql.table(table)} where project_id = ${projectId} and iid = ${Number(iid)})
    where id = ${id}`.execute(database)
}

/** By its path, or by one that it had before. */
async function projectOf(database: Kysely<unknown>, fullPath: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from project where lower(full_path) = lower(${fullPath})
    union all select project_id from old_path where lower(path) = lower(${fullPath}) and project_id is not null`.execute(
    database,
  )
  return rows[0]?.id
}
