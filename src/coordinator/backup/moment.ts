import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { Database, DatabaseSettings } from '../database/connect.js'
import { copyPostgres } from '../database/postgres-copy.js'
import { copySqlite, withSqliteCopy } from '../database/sqlite-copy.js'
import { type NamedFile, namedFiles, repositoryPath, runningJobs } from './named-files.js'
import { logUpTo, readAllRefs, readIfPresent, type RepositoryRefs } from './repository-refs.js'

/** Files of the data folder itself that belong to a backup; the keys, above all. */
const ROOT_FILES = [
  'secret.key',
  'ssh_host_ed25519_key',
  'ssh_host_ecdsa_key',
  'admin-token',
  'runner-registration-token',
  'coordinator.toml',
] as const

/** The state of the instance at one moment. The rest of a backup never changes, and is copied before and after it. */
export interface Moment {
  takenAt: number
  refs: Map<string, RepositoryRefs>
  /** Reflogs by path in the data folder, of refs that a push has begun to move. */
  reflogs: Map<string, string>
  /** Bytes that files of running jobs had, by path in the data folder. */
  sizes: Map<string, number>
  /** Content by name. */
  rootFiles: Map<string, Buffer>
  /** How long coordinators could not write, in milliseconds. */
  heldMs: number
}

/**
 * Copies the database to `copy`, and reads with it what changes beside it. `before` are the refs as they were at `since`.
 *
 * No push begins in this moment, because its row would have to be written first. A push that has begun before has a row
 * in the copy; the coordinator that is restored completes it, as after a crash. So a push is in the backup with its
 * refs, pipelines and webhooks, or with none of them.
 */
export async function copyMoment(
  { dataDir, database }: { dataDir: string; database: DatabaseSettings },
  copy: string,
  before: { refs: ReadonlyMap<string, RepositoryRefs>; since: number },
): Promise<{ moment: Moment; named: NamedFile[] }> {
  const whileHeld = (rows: Database) => readMoment(dataDir, rows, before)
  if (database.dialect === 'sqlite') {
    const moment = await copySqlite(database.file, copy, whileHeld)
    return { moment, named: await withSqliteCopy(copy, list) }
  }
  const { held, used } = await copyPostgres(database.url, copy, { whileHeld, use: list })
  return { moment: held, named: used }
}

async function list(rows: Database): Promise<NamedFile[]> {
  const all: NamedFile[] = []
  for await (const file of namedFiles(rows)) all.push(file)
  return all
}

async function readMoment(
  dataDir: string,
  rows: Database,
  before: { refs: ReadonlyMap<string, RepositoryRefs>; since: number },
): Promise<Moment> {
  const start = performance.now()
  const takenAt = Date.now()
  const running = await runningJobs(rows)
  const pushes = await rows.selectFrom('push').select(['project_id', 'changes']).execute()
  const refs = readAllRefs(dataDir, before.refs, before.since)
  const reflogs = new Map<string, string>()
  for (const { project_id, changes } of pushes) {
    const path = repositoryPath('repositories', project_id)
    for (const { ref } of changes) {
      const id = refs.get(path)?.refs.get(ref)
      const log =
        id === undefined ? undefined : logUpTo(readIfPresent(join(dataDir, path, 'logs', ref)) ?? '', id)
      if (log !== undefined) reflogs.set(`${path}/logs/${ref}`, log)
    }
  }
  const sizes = new Map(
    running.flatMap(({ id, project_id }) => sizesOf(dataDir, `traces/${project_id}/${id}`)),
  )
  const rootFiles = readRootFiles(dataDir)
  return { takenAt, refs, reflogs, sizes, rootFiles, heldMs: performance.now() - start }
}

function sizesOf(dataDir: string, job: string): [string, number][] {
  const path = join(dataDir, job)
  const size = sizeOf(`${path}.log`)
  // Read after the size: the offset of withheld bytes is stored before they are.
  const held = readIfPresent(`${path}.held`)
  return [
    [`${job}.log`, held === undefined ? size : Math.min(size, Number(held))],
    [`${job}.times`, sizeOf(`${path}.times`)],
  ]
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

export function readRootFiles(dataDir: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const name of ROOT_FILES) {
    const path = join(dataDir, name)
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) files.set(name, readFileSync(path))
  }
  return files
}
