import { sql } from 'kysely'

import { IS_NO_SUCCESS } from '../ci/engine/job-status-store.js'
import { KEY_COLUMNS, type KeyColumn } from '../ci/storage/orphans/key-columns.js'
import type { Database } from '../database/connect.js'
import { inPages } from '../database/in-pages.js'
import { Repositories } from '../hosting/repositories/repositories.js'

/** A file that a row names. */
export interface NamedFile {
  /** Path in the data folder. */
  path: string
  /** Bytes that it has at least, if the row says so. */
  size?: number
}

/** All files that the rows name: blobs, logs of finished jobs, and repositories that have had a push. */
export async function* namedFiles(rows: Database): AsyncGenerator<NamedFile> {
  for (const place of KEY_COLUMNS) {
    for await (const { key } of keysOf(rows, place)) yield { path: `blobs/${key}` }
  }
  const uploads = rows.selectFrom('project_upload').select(['id', 'project_id', 'secret'])
  for await (const { project_id, secret } of inPages(uploads, 'project_upload'))
    yield { path: `blobs/projects/${project_id}/uploads/${secret}` }
  const objects = rows.selectFrom('lfs_object').select(['id', 'project_id', 'oid', 'size'])
  for await (const { project_id, oid, size } of inPages(objects, 'lfs_object'))
    yield { path: `blobs/projects/${project_id}/lfs/${oid}`, size }
  yield* namedLogs(rows)
  yield* namedRepositories(rows)
}

async function* namedLogs(rows: Database): AsyncGenerator<NamedFile> {
  const jobs = rows
    .selectFrom('job')
    .leftJoin('stored_log', 'stored_log.job_id', 'job.id')
    .select(['job.id', 'job.project_id', 'job.trace_bytes'])
    .where('job.trace_bytes', '>', 0)
    // The others are blobs.
    .where('stored_log.blob_key', 'is', null)
  for await (const { id, project_id, trace_bytes } of inPages(jobs, 'job'))
    yield { path: `traces/${project_id}/${id}.log`, size: trace_bytes ?? 0 }
}

async function* namedRepositories(rows: Database): AsyncGenerator<NamedFile> {
  // Projects without a push get their repository again if it is missing.
  const projects = rows.selectFrom('project').select('id').where('default_branch', 'is not', null)
  const wikis = rows.selectFrom('wiki').select('project_id as id').where('head_sha', 'is not', null)
  const groupWikis = rows.selectFrom('group_wiki').select('group_id as id').where('head_sha', 'is not', null)
  const snippets = rows.selectFrom('snippet').select('id').where('is_ready', '=', true)
  for await (const { id } of inPages(projects, 'project'))
    yield { path: `${repositoryPath('repositories', id)}/HEAD` }
  for await (const { id } of inPages(wikis, 'wiki', 'project_id'))
    yield { path: `${repositoryPath('wikis', id)}/HEAD` }
  for await (const { id } of inPages(groupWikis, 'group_wiki', 'group_id'))
    yield { path: `${repositoryPath('group-wikis', id)}/HEAD` }
  for await (const { id } of inPages(snippets, 'snippet'))
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
    .where(IS_NO_SUCCESS)
    .where('status', 'in', ['running', 'canceling'])
    .execute()
}

function keysOf(
  rows: Database,
  { table, id, column }: KeyColumn,
): AsyncGenerator<{ id: number; key: string }> {
  // The types of Kysely require one table. Rows without a key are left out.
  const place = sql<
    Record<KeyColumn['id'], number> & Record<KeyColumn['column'], string>
  >`${sql.table(table)}`
  const keys = rows
    .selectFrom(place.as('place'))
    .select([`${id} as id`, `${column} as key`])
    .where(column, '<>', '')
  return inPages(keys, 'place', id)
}
