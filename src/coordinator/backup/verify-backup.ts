import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { GitError } from '../../git/errors.js'
import { runGit } from '../../git/run-git.js'
import { messageOf } from '../../lib/errors.js'
import { isMissingFile } from '../../lib/files.js'
import { mapInOrder } from '../../lib/map-in-order.js'
import { problemsOfPostgresCopy } from '../database/postgres-copy.js'
import { SchemaError } from '../database/released-schema.js'
import { problemsOfCopy, withSqliteCopy } from '../database/sqlite-copy.js'
import type { BackupLocation } from './backup-location.js'
import { BackupStore, digestOf, readBackup } from './backup-store.js'
import type { BackedUpFile, Manifest } from './manifest.js'
import { namedFiles } from './named-files.js'
import { repositoryOf } from './repository-refs.js'
import { requireReleasedCopy } from './require-released-copy.js'

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

/**
 * Checks a backup: the content of every file, the database, the files that its rows name, and every repository. Each
 * object is read once; a large one that several repositories have, once for each.
 */
export async function verifyBackup(location: BackupLocation, name?: string): Promise<Verification> {
  const { name: chosen, manifest } = await readBackup(location, name)
  const backup = await BackupStore.open(location)
  try {
    const repositories = repositoriesOf(manifest.files)
    const objects = new FetchedObjects(backup, manifest.files)
    const problems = new Set<string>()
    const report = (found: readonly string[]) => found.forEach((problem) => problems.add(problem))
    report(await damagedFiles(location, manifest))
    report(await databaseProblems(backup, chosen, manifest))
    for (const [path, files] of repositories) report(await repositoryProblems(backup, objects, path, files))
    return {
      name: chosen,
      files: manifest.files.length,
      repositories: repositories.size,
      problems: [...problems],
      missing: manifest.missing,
    }
  } finally {
    backup.close()
  }
}

/** Checks what is in no repository. */
async function damagedFiles(location: BackupLocation, { files }: Manifest): Promise<string[]> {
  const paths = new Map<string, string>()
  for (const { path, sha256 } of files) {
    if (repositoryOf(path) === undefined && !paths.has(sha256)) paths.set(sha256, path)
  }
  const checks = mapInOrder(paths, AT_ONCE, async ([sha256, path]) => {
    const content = await location.read(sha256)
    return problemOfObject(location, { path, sha256 }, content && (await digestOf(content)))
  })
  const problems: string[] = []
  for await (const problem of checks) if (problem !== undefined) problems.push(problem)
  return problems
}

/** An object that is damaged must be deleted, so that the next backup copies the file again. */
function problemOfObject(
  location: BackupLocation,
  { path, sha256 }: Pick<BackedUpFile, 'path' | 'sha256'>,
  digest: string | undefined,
): string | undefined {
  const object = location.shownObject(sha256)
  if (digest === undefined) return `The content of ${path} is missing (${object}). Back up again.`
  if (digest === sha256) return undefined
  return `The content of ${path} is damaged. Delete ${object}, and back up again.`
}

/** Files of this size, in bytes, and below are kept for the next repositories that have them, such as `HEAD`. */
const KEPT = 64 * 1024

/** The objects of repositories. One that several repositories have is fetched once if it is small. */
class FetchedObjects {
  /** Small ones that several files have: where they are, and what is wrong with them. */
  private readonly kept = new Map<string, Promise<{ from: string; problem: string | undefined }>>()
  private readonly shared = new Set<string>()

  constructor(
    private readonly backup: BackupStore,
    files: readonly BackedUpFile[],
  ) {
    const seen = new Set<string>()
    for (const { path, size, sha256 } of files) {
      if (size > KEPT || repositoryOf(path) === undefined) continue
      if (seen.has(sha256)) this.shared.add(sha256)
      seen.add(sha256)
    }
  }

  /** Writes a file. Returns what is wrong with its object. */
  async write(file: BackedUpFile, to: string): Promise<string | undefined> {
    if (!this.shared.has(file.sha256)) return this.fetch(file, to)
    const known = this.kept.get(file.sha256) ?? this.keep(file)
    this.kept.set(file.sha256, known)
    const { from, problem } = await known
    // Git reports what refers to a missing object.
    await copyFile(from, to).catch((error: unknown) => {
      if (!isMissingFile(error)) throw error
    })
    return problem
  }

  private async keep(file: BackedUpFile): Promise<{ from: string; problem: string | undefined }> {
    const from = this.backup.workPath()
    return { from, problem: await this.fetch(file, from) }
  }

  private async fetch(file: BackedUpFile, to: string): Promise<string | undefined> {
    const { location } = this.backup
    return problemOfObject(location, file, await location.fetch(file.sha256, to))
  }
}

async function databaseProblems(backup: BackupStore, name: string, manifest: Manifest): Promise<string[]> {
  const { location } = backup
  const copy = backup.workPath()
  const { sha256 } = manifest.database
  const digest = await location.fetch(sha256, copy)
  const problem = problemOfObject(location, { path: 'the database', sha256 }, digest)
  const found = problem === undefined ? [] : [problem]
  if (digest === undefined) return found
  try {
    if (manifest.dialect === 'postgres') {
      // Rows cannot be read without a server; their files were checked when the backup was made.
      found.push(...(await problemsOfPostgresCopy(copy)).map((text) => `The database: ${text}`))
      if (found.length === 0) await requireReleasedCopy(copy, 'postgres', name)
      return found
    }
    found.push(...(await problemsOfCopy(copy)).map((text) => `The database: ${text}`))
    await requireReleasedCopy(copy, 'sqlite', name)
    return [...found, ...(await withSqliteCopy(copy, (rows) => lackingFiles(rows, manifest)))]
  } catch (error) {
    if (error instanceof SchemaError) return [...found, error.message]
    return [...found, `The database cannot be read: ${messageOf(error)}`]
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
  objects: FetchedObjects,
  path: string,
  files: readonly BackedUpFile[],
): Promise<string[]> {
  const gitDir = backup.workPath()
  const problems: string[] = []
  try {
    for (const folder of REPOSITORY_PARTS) await mkdir(join(gitDir, folder), { recursive: true, mode: 0o700 })
    const written = mapInOrder(files, AT_ONCE, async (file) => {
      const to = join(gitDir, file.path.slice(path.length + 1))
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      return objects.write(file, to)
    })
    for await (const problem of written) if (problem !== undefined) problems.push(problem)
    await runGit(['--git-dir', gitDir, 'fsck', '--connectivity-only', '--no-dangling', '--no-progress'])
    return problems
  } catch (error) {
    if (error instanceof GitError) return [...problems, `The repository ${path} is damaged: ${error.message}`]
    return [...problems, `The repository ${path} cannot be read: ${messageOf(error)}`]
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

/** Folders without which git takes a folder for no repository. */
export const REPOSITORY_PARTS = ['objects', 'refs'] as const
