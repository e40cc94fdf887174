import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { GitError } from '../../git/errors.js'
import { runGit } from '../../git/run-git.js'
import { messageOf } from '../../lib/errors.js'
import { isMissingFile } from '../../lib/files.js'
import { problemsOfPostgresCopy } from '../database/postgres-copy.js'
import { problemsOfCopy, withSqliteCopy } from '../database/sqlite-copy.js'
import { BackupFolder, digestOf, readBackup } from './backup-folder.js'
import type { BackedUpFile, Manifest } from './manifest.js'
import { namedFiles } from './named-files.js'
import { repositoryOf } from './repository-refs.js'

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
export async function verifyBackup(folder: string, name?: string): Promise<Verification> {
  const { name: chosen, manifest } = await readBackup(folder, name)
  const backup = await BackupFolder.open(folder)
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

/** An object that is damaged must be deleted, so that the next backup copies the file again. */
async function damagedObjects(backup: BackupFolder, { database, files }: Manifest): Promise<string[]> {
  const problems: string[] = []
  const checked = new Set<string>()
  for (const { path, sha256 } of [{ path: 'the database', sha256: database.sha256 }, ...files]) {
    if (checked.has(sha256)) continue
    checked.add(sha256)
    const object = backup.object(sha256)
    const digest = await digestOf(object)
    if (digest === undefined) problems.push(`The content of ${path} is missing (${object}). Back up again.`)
    else if (digest !== sha256)
      problems.push(`The content of ${path} is damaged. Delete ${object}, and back up again.`)
  }
  return problems
}

async function databaseProblems(backup: BackupFolder, manifest: Manifest): Promise<string[]> {
  const copy = backup.object(manifest.database.sha256)
  try {
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
  backup: BackupFolder,
  path: string,
  files: readonly BackedUpFile[],
): Promise<string[]> {
  const gitDir = backup.workPath()
  try {
    for (const folder of REPOSITORY_PARTS) await mkdir(join(gitDir, folder), { recursive: true, mode: 0o700 })
    for (const file of files) {
      const to = join(gitDir, file.path.slice(path.length + 1))
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await linkOrCopy(backup.object(file.sha256), to)
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

/** A missing object is skipped: it was reported before, and git reports what refers to it. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissingFile(error)) return
    if (!(error instanceof Error && 'code' in error)) throw error
    // Not every file system has links.
    await copyFile(from, to)
  }
}
