import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { GitError } from '../../git/errors.js'
import { runGit } from '../../git/run-git.js'
import { messageOf } from '../../lib/errors.js'
import { mapInOrder } from '../../lib/map-in-order.js'
import { problemsOfPostgresCopy } from '../database/postgres-copy.js'
import { problemsOfCopy, withSqliteCopy } from '../database/sqlite-copy.js'
import type { BackupPlace } from './backup-place.js'
import { BackupStore, digestOf, readBackup } from './backup-store.js'
import type { BackedUpFile, Manifest } from './manifest.js'
import { namedFiles } from './named-files.js'
import { repositoryOf } from './repository-refs.js'

/** Objects that are read at a time. */
const AT_ONCE = 8

export interface Verification {
  name: string
  files: number
  repositories: number
  /** Each as a sentence; none for a sound backup. */
  problems: string[]
  /** Files that the instance lacked when it was backed up. */
  missing: string[]
}

/** Checks a backup: the content of every file, the database, the files that its rows name, and every repository. */
export async function verifyBackup(place: BackupPlace, name?: string): Promise<Verification> {
  const { name: chosen, manifest } = await readBackup(place, name)
  const backup = await BackupStore.open(place)
  try {
    const problems = await damagedObjects(backup, manifest)
    problems.push(...(await databaseProblems(backup, manifest)))
    const repositories = repositoriesOf(manifest.files)
    for (const [path, files] of repositories)
      problems.push(...(await repositoryProblems(backup, path, files)))
    return {
      name: chosen,
      files: manifest.files.length,
      repositories: repositories.size,
      problems,
      missing: manifest.missing,
    }
  } finally {
    backup.close()
  }
}

async function damagedObjects({ place }: BackupStore, { database, files }: Manifest): Promise<string[]> {
  const paths = new Map<string, string>([[database.sha256, 'the database']])
  for (const { path, sha256 } of files) if (!paths.has(sha256)) paths.set(sha256, path)
  const checks = mapInOrder(paths, AT_ONCE, ([sha256, path]) => problemOfObject(place, sha256, path))
  const problems: string[] = []
  for await (const problem of checks) if (problem !== undefined) problems.push(problem)
  return problems
}

/** An object that is damaged must be deleted, so that the next backup copies the file again. */
async function problemOfObject(
  place: BackupPlace,
  sha256: string,
  path: string,
): Promise<string | undefined> {
  const object = place.shownObject(sha256)
  const content = await place.read(sha256)
  if (!content) return `The content of ${path} is missing (${object}). Back up again.`
  if ((await digestOf(content)) === sha256) return undefined
  return `The content of ${path} is damaged. Delete ${object}, and back up again.`
}

async function databaseProblems(backup: BackupStore, manifest: Manifest): Promise<string[]> {
  const copy = backup.workPath()
  try {
    // It was reported before.
    if (!(await backup.place.fetch(manifest.database.sha256, copy))) return []
    if (manifest.dialect === 'postgres') {
      // Rows cannot be read without a server; their files were checked when the backup was made.
      return (await problemsOfPostgresCopy(copy)).map((problem) => `The database: ${problem}`)
    }
    const problems = (await problemsOfCopy(copy)).map((problem) => `The database: ${problem}`)
    return [...problems, ...(await withSqliteCopy(copy, (rows) => lackingFiles(rows, manifest)))]
  } catch (error) {
    return [`The database cannot be read: ${messageOf(error)}`]
  }
}

async function lackingFiles(rows: Parameters<typeof namedFiles>[0], manifest: Manifest): Promise<string[]> {
  const sizes = new Map(manifest.files.map(({ path, size }) => [path, size]))
  const known = new Set(manifest.missing)
  const problems: string[] = []
  for await (const { path, size = 0 } of namedFiles(rows)) {
    const found = sizes.get(path)
    if (known.has(path) || (found !== undefined && found >= size)) continue
    problems.push(`A row of the database names ${path}, which the backup lacks or has only a part of.`)
  }
  return problems
}

/** Files by the path of their repository. */
export function repositoriesOf(files: readonly BackedUpFile[]): Map<string, BackedUpFile[]> {
  const repositories = new Map<string, BackedUpFile[]>()
  for (const file of files) {
    const path = repositoryOf(file.path)
    if (path === undefined) continue
    const known = repositories.get(path)
    if (known) known.push(file)
    else repositories.set(path, [file])
  }
  return repositories
}

async function repositoryProblems(
  backup: BackupStore,
  path: string,
  files: readonly BackedUpFile[],
): Promise<string[]> {
  const gitDir = backup.workPath()
  try {
    for (const folder of REPOSITORY_PARTS) await mkdir(join(gitDir, folder), { recursive: true, mode: 0o700 })
    for (const file of files) {
      const to = join(gitDir, file.path.slice(path.length + 1))
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      // A missing object is skipped: it was reported before, and git reports what refers to it.
      await backup.place.fetch(file.sha256, to)
    }
    await runGit(['--git-dir', gitDir, 'fsck', '--connectivity-only', '--no-dangling', '--no-progress'])
    return []
  } catch (error) {
    if (error instanceof GitError) return [`The repository ${path} is damaged: ${error.message}`]
    return [`The repository ${path} cannot be read: ${messageOf(error)}`]
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

/** Folders without which git takes a folder for no repository. */
export const REPOSITORY_PARTS = ['objects', 'refs'] as const
