import { sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { Repositories } from '../hosting/repositories/repositories.js'

const PAGE = 2000

/** A file that a row names. */
export interface NamedFile {
  /** Path in the data folder. */
  path: string
  /** Bytes that it has at least, if the row says so. */
  size?: number
}

/** Where a table has the key of a blob. */
interface KeyColumn {
  table:
    | 'job_artifact'
    | 'test_report'
    | 'secure_file'
    | 'cache_archive'
    | 'user_profile'
    | 'namespace'
    | 'project'
    | 'project_import'
    | 'project_export'
  /** Its IDs are unique. */
  id: 'id' | 'job_id' | 'user_id'
  column: 'blob_key' | 'avatar_key' | 'archive_key'
}

/** Every column with the key of a blob; a test compares the list with the schema. */
export const KEY_COLUMNS: readonly KeyColumn[] = [
  { table: 'job_artifact', id: 'id', column: 'blob_key' },
  { table: 'test_report', id: 'job_id', column: 'blob_key' },
  { table: 'secure_file', id: 'id', column: 'blob_key' },
  { table: 'cache_archive', id: 'id', column: 'blob_key' },
  { table: 'user_profile', id: 'user_id', column: 'avatar_key' },
  { table: 'namespace', id: 'id', column: 'avatar_key' },
  { table: 'project', id: 'id', column: 'avatar_key' },
  { table: 'project_import', id: 'id', column: 'archive_key' },
  { table: 'project_export', id: 'id', column: 'blob_key' },
]

/** All files that the rows name: blobs, logs of finished jobs, and repositories that have had a push. */
export async function* namedFiles(rows: Database): AsyncGenerator<NamedFile> {
  for (const place of KEY_COLUMNS) {
    for await (const { key } of keysOf(rows, place)) yield { path: `blobs/${key}` }
  }
  for await (const { project_id, secret } of pagesOf((after) =>
    rows
      .selectFrom('project_upload')
      .select(['id', 'project_id', 'secret'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute(),
  ))
    yield { path: `blobs/projects/${project_id}/uploads/${secret}` }
  for await (const { project_id, oid, size } of pagesOf((after) =>
    rows
      .selectFrom('lfs_object')
      .select(['id', 'project_id', 'oid', 'size'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute(),
  ))
    yield { path: `blobs/projects/${project_id}/lfs/${oid}`, size }
  yield* namedLogs(rows)
  yield* namedRepositories(rows)
}

async function* namedLogs(rows: Database): AsyncGenerator<NamedFile> {
  for await (const { id, project_id, trace_bytes } of pagesOf((after) =>
    rows
      .selectFrom('job')
      .select(['id', 'project_id', 'trace_bytes'])
      .where('id', '>', after)
      .where('trace_bytes', '>', 0)
      .orderBy('id')
      .limit(PAGE)
      .execute(),
  ))
    yield { path: `traces/${project_id}/${id}.log`, size: trace_bytes ?? 0 }
}

async function* namedRepositories(rows: Database): AsyncGenerator<NamedFile> {
  for await (const { id } of pagesOf((after) =>
    rows
      .selectFrom('project')
      .select('id')
      .where('id', '>', after)
      // Projects without a push get their repository again if it is missing.
      .where('default_branch', 'is not', null)
      .orderBy('id')
      .limit(PAGE)
      .execute(),
  ))
    yield { path: `${repositoryPath('repositories', id)}/HEAD` }
  for await (const { id } of pagesOf((after) =>
    rows
      .selectFrom('wiki')
      .select('project_id as id')
      .where('project_id', '>', after)
      .where('head_sha', 'is not', null)
      .orderBy('project_id')
      .limit(PAGE)
      .execute(),
  ))
    yield { path: `${repositoryPath('wikis', id)}/HEAD` }
  for await (const { id } of pagesOf((after) =>
    rows
      .selectFrom('snippet')
      .select('id')
      .where('id', '>', after)
      .where('is_ready', '=', true)
      .orderBy('id')
      .limit(PAGE)
      .execute(),
  ))
    yield { path: `${repositoryPath('snippets', id)}/HEAD` }
}

/** Path of a repository in the data folder. */
export function repositoryPath(folder: string, id: number): string {
  return new Repositories(`/${folder}`).path(id).slice(1)
}

/** A log of a job that runs; the next bytes of it belong to a later moment. */
export interface RunningLog {
  id: number
  project_id: number
}

export function runningJobs(rows: Database): Promise<RunningLog[]> {
  return rows
    .selectFrom('job')
    .select(['id', 'project_id'])
    .where('status', 'in', ['running', 'canceling'])
    .execute()
}

function keysOf(
  rows: Database,
  { table, id, column }: KeyColumn,
): AsyncGenerator<{ id: number; key: string }> {
  return pagesOf(async (after) => {
    const { rows: page } = await sql<{ id: number; key: string }>`
      select ${sql.ref(id)} as id, ${sql.ref(column)} as key from ${sql.table(table)}
      where ${sql.ref(id)} > ${after} and ${sql.ref(column)} is not null and ${sql.ref(column)} <> ''
      order by ${sql.ref(id)} limit ${PAGE}`.execute(rows)
    return page
  })
}

async function* pagesOf<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = 0; ;) {
    const page = await read(after)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}
