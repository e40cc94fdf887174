import { appendFile, copyFile, mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

import { GitError } from '../../git/errors.js'
import { ZERO_ID } from '../../git/names.js'
import { type Commit, parseCommit } from '../../git/parse-commit.js'
import { runGit } from '../../git/run-git.js'
import type { WorkingDirectory } from './working-directory.js'

/** A working directory as one commit, in a repository separate from the user's. */
export interface Snapshot {
  /** A repository with the commit, which borrows the objects of the working directory's repository. */
  gitDir: string
  /** `sha1` or `sha256`. */
  objectFormat: string
  /** The checked-out commit if nothing differs from it, else a commit on top of it. */
  commit: Commit
}

/** The paths of git's files for the working directory. */
interface GitPaths {
  objects: string
  index: string
  shallow: string
}

/**
 * Creates a commit of the files that git sees: tracked files with their current content, and files that are neither
 * tracked nor ignored. Everything is written below `folder`. The working directory, its index and its repository do
 * not change.
 */
export async function takeSnapshot(directory: WorkingDirectory, folder: string): Promise<Snapshot> {
  const gitDir = join(folder, 'sources.git')
  const objectFormat = await objectFormatOf(directory)
  await runGit(['init', '--bare', '--quiet', '--template=', `--object-format=${objectFormat}`, gitDir])
  const index = join(folder, 'index')
  const environment = directory.isRepository
    ? await borrow(directory, gitDir, index)
    : { GIT_DIR: gitDir, GIT_WORK_TREE: directory.root, GIT_INDEX_FILE: index }
  const git = await inSnapshot(directory, environment)
  await git(['add', '--all'])
  const tree = (await git(['write-tree'])).trim()
  const id = (await isCheckedOut(directory, tree))
    ? directory.commit.id
    : await commitTree(git, directory, tree)
  const content = await runGit(['--git-dir', gitDir, 'cat-file', 'commit', id])
  return { gitDir, objectFormat, commit: parseCommit(id, Buffer.from(content)) }
}

/** Adds the branches and tags of the working directory to the repository of a snapshot. `refs` override them. */
export async function publishRefs(
  { gitDir, commit }: Snapshot,
  directory: WorkingDirectory,
  refs: readonly string[],
): Promise<void> {
  const conflicts = (name: string) =>
    refs.some((ref) => ref === name || ref.startsWith(`${name}/`) || name.startsWith(`${ref}/`))
  const known = await refsOf(directory)
  const lines = known.filter(({ name }) => !conflicts(name)).map(({ id, name }) => `${id} ${name}\n`)
  await appendFile(join(gitDir, 'packed-refs'), lines.join(''))
  for (const ref of refs) await runGit(['--git-dir', gitDir, 'update-ref', ref, commit.id])
}

/** Adds another ref to the commit of the snapshot. */
export async function publishRef({ gitDir, commit }: Snapshot, ref: string): Promise<void> {
  await runGit(['--git-dir', gitDir, 'update-ref', ref, commit.id])
}

async function objectFormatOf({ root, isRepository }: WorkingDirectory): Promise<string> {
  return isRepository ? (await runGit(['rev-parse', '--show-object-format'], { cwd: root })).trim() : 'sha1'
}

/** Existing objects are read from the user's repository. New ones are written to that of the snapshot. */
async function borrow(
  { root }: WorkingDirectory,
  gitDir: string,
  index: string,
): Promise<Record<string, string>> {
  const paths = await findGitPaths(root)
  await mkdir(join(gitDir, 'objects/info'), { recursive: true })
  await writeFile(join(gitDir, 'objects/info/alternates'), `${paths.objects}\n`)
  // With the information in git's index, unchanged files are not read again.
  if (await copyIfThere(paths.index, index)) await copyModificationTime(paths.index, index)
  await copyIfThere(paths.shallow, join(gitDir, 'shallow'))
  return {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: join(gitDir, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: paths.objects,
  }
}

/** Of a repository, with or without a working directory of its own. */
export async function findGitPaths(root: string): Promise<GitPaths> {
  const find = async (name: string) =>
    resolve(root, (await runGit(['rev-parse', '--git-path', name], { cwd: root })).replace(/\n$/, ''))
  return { objects: await find('objects'), index: await find('index'), shallow: await find('shallow') }
}

/** Whether this represents a missing commit, because nothing is committed yet. */
export function isUnborn({ id }: Commit): boolean {
  return id === ZERO_ID
}

type Git = (args: string[], environment?: Record<string, string>, input?: string) => Promise<string>

async function inSnapshot({ root }: WorkingDirectory, environment: Record<string, string>): Promise<Git> {
  const settings = { 'core.excludesFile': await excludesFile(root), 'core.bare': 'false' }
  return (args, more = {}, input = '') =>
    runGit(args, { cwd: root, settings, environment: { ...environment, ...more }, input })
}

/** The user's global ignore file. Only this is read from the user's git settings. */
async function excludesFile(root: string): Promise<string> {
  const home = homedir()
  const configHome = process.env['XDG_CONFIG_HOME'] || join(home, '.config')
  const environment = { HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') }
  try {
    const configured = await runGit(['config', '--path', 'core.excludesFile'], { cwd: root, environment })
    return configured.replace(/\n$/, '')
  } catch (error) {
    if (error instanceof GitError) return join(configHome, 'git/ignore')
    throw error
  }
}

async function isCheckedOut(
  { root, commit, isRepository }: WorkingDirectory,
  tree: string,
): Promise<boolean> {
  if (!isRepository || isUnborn(commit)) return false
  const checkedOut = await runGit(['rev-parse', `${commit.id}^{tree}`], { cwd: root })
  return checkedOut.trim() === tree
}

/**
 * Uses author and message of the previous commit, so that jobs see the same values as after a push of the changes.
 */
async function commitTree(git: Git, { commit }: WorkingDirectory, tree: string): Promise<string> {
  const parents = isUnborn(commit) ? [] : ['-p', commit.id]
  const name = commit.authorName || 'local'
  const email = commit.authorEmail || 'local@localhost'
  const people = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
  return (await git(['commit-tree', tree, ...parents], people, commit.message)).trim()
}

async function refsOf({ root, isRepository }: WorkingDirectory): Promise<{ id: string; name: string }[]> {
  if (!isRepository) return []
  const format = '--format=%(objectname) %(refname)'
  const output = await runGit(['for-each-ref', format, 'refs/heads', 'refs/tags'], { cwd: root })
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', name = ''] = line.split(' ')
      return { id, name }
    })
}

export async function copyIfThere(file: string, copy: string): Promise<boolean> {
  try {
    await copyFile(file, copy)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/**
 * Git reads a file again if it is not older than the index, because it may have been changed in the same second.
 */
async function copyModificationTime(file: string, copy: string): Promise<void> {
  const changed = Math.floor((await stat(file)).mtimeMs / 1000)
  await utimes(copy, changed, changed)
}
