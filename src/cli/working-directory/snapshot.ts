import { appendFile, copyFile, mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

import { GitError } from '../../git/errors.js'
import { ZERO_ID } from '../../git/names.js'
import { type Commit, parseCommit } from '../../git/parse-commit.js'
import { runGit } from '../../git/run-git.js'
import type { WorkingDirectory } from './working-directory.js'

/** A working directory as one commit, in a repository that is none of the user's. */
export interface Snapshot {
  /** A repository that borrows the objects of the working directory's and has the commit. */
  gitDir: string
  /** `sha1` or `sha256`. */
  objectFormat: string
  /** The one that is checked out when nothing differs from it; else a commit on top of it. */
  commit: Commit
}

/** Where git keeps what belongs to the working directory. */
interface Places {
  objects: string
  index: string
  shallow: string
}

/**
 * Makes a commit of what git sees: what is tracked, as it lies there, and what is neither tracked nor ignored. Everything
 * is written below `folder`; the working directory, its index and its repository stay as they are.
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

/** Gives the repository of a snapshot the branches and tags of the working directory; `refs` win over those. */
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

/** Makes the commit of the snapshot reachable under one more name. */
export async function publishRef({ gitDir, commit }: Snapshot, ref: string): Promise<void> {
  await runGit(['--git-dir', gitDir, 'update-ref', ref, commit.id])
}

async function objectFormatOf({ root, isRepository }: WorkingDirectory): Promise<string> {
  return isRepository ? (await runGit(['rev-parse', '--show-object-format'], { cwd: root })).trim() : 'sha1'
}

/** Objects that the user's repository has are read there; new ones are written to the snapshot's. */
async function borrow(
  { root }: WorkingDirectory,
  gitDir: string,
  index: string,
): Promise<Record<string, string>> {
  const places = await placesOf(root)
  await mkdir(join(gitDir, 'objects/info'), { recursive: true })
  await writeFile(join(gitDir, 'objects/info/alternates'), `${places.objects}\n`)
  // With what git knows of the files, it need not read them all again.
  if (await copyIfThere(places.index, index)) await keepAge(places.index, index)
  await copyIfThere(places.shallow, join(gitDir, 'shallow'))
  return {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: join(gitDir, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: places.objects,
  }
}

async function placesOf(root: string): Promise<Places> {
  const place = async (name: string) =>
    resolve(root, (await runGit(['rev-parse', '--git-path', name], { cwd: root })).replace(/\n$/, ''))
  return { objects: await place('objects'), index: await place('index'), shallow: await place('shallow') }
}

/** Whether it stands for one that is not there: nothing is committed yet. */
export function isUnborn({ id }: Commit): boolean {
  return id === ZERO_ID
}

type Git = (args: string[], environment?: Record<string, string>, input?: string) => Promise<string>

async function inSnapshot({ root }: WorkingDirectory, environment: Record<string, string>): Promise<Git> {
  const settings = { 'core.excludesFile': await excludesFile(root), 'core.bare': 'false' }
  return (args, more = {}, input = '') =>
    runGit(args, { cwd: root, settings, environment: { ...environment, ...more }, input })
}

/** What the user has git ignore everywhere: their settings are read for this alone. */
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

/** By the author of the commit before, with its message: jobs are told the same as after a push of the changes. */
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

async function copyIfThere(file: string, copy: string): Promise<boolean> {
  try {
    await copyFile(file, copy)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** A file that is not older than the index git reads again: it may have been changed in the same second. */
async function keepAge(file: string, copy: string): Promise<void> {
  const changed = Math.floor((await stat(file)).mtimeMs / 1000)
  await utimes(copy, changed, changed)
}
