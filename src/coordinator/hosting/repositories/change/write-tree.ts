import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isTreePath } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import type { Reading } from '../browse/reading.js'
import { findEntries, type TreeEntry } from '../browse/tree-entries.js'
import { FileChangeError } from './errors.js'

/** One change of a commit, as in the API (API, E3). */
export type FileAction =
  | { action: 'create'; path: string; content: Buffer; isExecutable?: boolean | undefined }
  | { action: 'update'; path: string; content: Buffer; isExecutable?: boolean | undefined }
  /** Without `content` the content is unchanged. */
  | { action: 'move'; path: string; previousPath: string; content?: Buffer | undefined }
  | { action: 'delete'; path: string }
  | { action: 'chmod'; path: string; isExecutable: boolean }
  /** Moves a submodule to another commit of its repository. */
  | { action: 'submodule'; path: string; sha: string }

interface File {
  mode: string
  /** Object ID, or the index in the list of new contents. */
  content: string | number
}

const PLAIN = '100644'
const EXECUTABLE = '100755'
const SUBMODULE = '160000'

/**
 * Applies the actions, in order, to the files of `base` (undefined = none), and returns the ID of the new
 * tree. It uses a temporary index instead of a work tree. Throws `FileChangeError` for an action that is not
 * possible.
 */
export async function writeTree(
  reading: Reading,
  base: string | undefined,
  actions: FileAction[],
): Promise<string> {
  const paths = actions.flatMap(pathsOf)
  for (const path of paths) checkFilePath(path)
  refuseTooDeep(paths)
  const before = base === undefined ? NOTHING : await findEntries(reading, base, paths.flatMap(withFolders))
  const files = new Map<string, File | null>(paths.map((path) => [path, fileOf(before.get(path))]))
  const contents: Buffer[] = []
  for (const action of actions) apply(action, files, contents)
  refuseClashes(files, before)
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-commit-'))
  try {
    const ids = await writeBlobs(reading.gitDir, folder, contents)
    return await writeIndex(reading.gitDir, folder, base, indexInfo(files, ids))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NOTHING = new Map<string, TreeEntry>()

function pathsOf(action: FileAction): string[] {
  return action.action === 'move' ? [action.path, action.previousPath] : [action.path]
}

/** Maximum total length of all paths of all folders, in bytes; far more than any sensible commit needs. */
const MAX_FOLDER_BYTES = 8 * 1024 * 1024

function refuseTooDeep(paths: string[]): void {
  const bytes = paths.reduce((sum, path) => sum + (path.length * path.split('/').length) / 2, 0)
  if (bytes > MAX_FOLDER_BYTES) throw new FileChangeError('The files of this commit are in too many folders')
}

/** The path and the paths of its parent folders. */
function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
}

function fileOf(entry: TreeEntry | undefined): File | null {
  return entry && entry.type !== 'tree' ? { mode: entry.mode, content: entry.id } : null
}

/**
 * Refuses a file in place of a folder and the reverse, because git would silently delete the existing entry.
 */
function refuseClashes(files: Map<string, File | null>, before: Map<string, TreeEntry>): void {
  for (const [path, file] of files) {
    if (!file) continue
    if (before.get(path)?.type === 'tree') {
      throw new FileChangeError('A directory with this name already exists')
    }
    for (const folder of withFolders(path).slice(0, -1)) {
      if (files.has(folder) ? files.get(folder) : fileOf(before.get(folder))) {
        throw new FileChangeError('A file with this name already exists')
      }
    }
  }
}

/** Throws `FileChangeError` for a path that no file can have. */
export function checkFilePath(path: string): void {
  if (path === '') throw new FileChangeError('You must provide a file path')
  if (path.split('/').includes('..')) throw new FileChangeError('Path cannot include directory traversal')
  if (!isTreePath(path)) throw new FileChangeError('Path is not valid')
}

function apply(action: FileAction, files: Map<string, File | null>, contents: Buffer[]): void {
  switch (action.action) {
    case 'create':
      refuseExisting(files, action.path)
      files.set(action.path, { mode: action.isExecutable ? EXECUTABLE : PLAIN, content: add(action.content) })
      break
    case 'update': {
      const { mode } = existing(files, action.path)
      files.set(action.path, { mode: withFlag(mode, action.isExecutable), content: add(action.content) })
      break
    }
    case 'move': {
      const { mode, content } = existing(files, action.previousPath)
      refuseExisting(files, action.path)
      files.set(action.previousPath, null)
      files.set(action.path, { mode, content: action.content ? add(action.content) : content })
      break
    }
    case 'delete':
      existing(files, action.path)
      files.set(action.path, null)
      break
    case 'chmod': {
      const { mode, content } = existing(files, action.path)
      files.set(action.path, { mode: withFlag(mode, action.isExecutable), content })
      break
    }
    case 'submodule':
      if (files.get(action.path)?.mode !== SUBMODULE) throw new FileChangeError('Invalid submodule path')
      files.set(action.path, { mode: SUBMODULE, content: action.sha })
  }

  function add(content: Buffer): number {
    return contents.push(content) - 1
  }
}

/** Symbolic links have no executable flag. */
function withFlag(mode: string, isExecutable: boolean | undefined): string {
  if (isExecutable === undefined || (mode !== PLAIN && mode !== EXECUTABLE)) return mode
  return isExecutable ? EXECUTABLE : PLAIN
}

function existing(files: Map<string, File | null>, path: string): File {
  const file = files.get(path)
  if (!file || file.mode === SUBMODULE) throw new FileChangeError("A file with this name doesn't exist")
  return file
}

function refuseExisting(files: Map<string, File | null>, path: string): void {
  if (files.get(path)) throw new FileChangeError('A file with this name already exists')
}

async function writeBlobs(gitDir: string, folder: string, contents: Buffer[]): Promise<string[]> {
  if (contents.length === 0) return []
  const paths = contents.map((_content, index) => join(folder, `content-${index}`))
  // One at a time, because there may be more contents than open files allowed.
  for (const [index, content] of contents.entries()) await writeFile(paths[index] ?? '', content)
  const args = ['--git-dir', gitDir, 'hash-object', '-w', '--no-filters', '--stdin-paths']
  const output = await runGit(args, { input: paths.join('\n') + '\n' })
  return output.trim().split('\n')
}

/** Deletions come first, so that a file may replace a folder and the reverse. */
function indexInfo(files: Map<string, File | null>, ids: string[]): string {
  const lines = [...files].map(([path, file]) =>
    file
      ? `${file.mode} ${typeof file.content === 'number' ? (ids[file.content] ?? '') : file.content}\t${path}\0`
      : `0 ${'0'.repeat(40)}\t${path}\0`,
  )
  return [
    ...lines.filter((line) => line.startsWith('0 ')),
    ...lines.filter((line) => !line.startsWith('0 ')),
  ].join('')
}

async function writeIndex(
  gitDir: string,
  folder: string,
  base: string | undefined,
  input: string,
): Promise<string> {
  const options = {
    environment: { GIT_INDEX_FILE: join(folder, 'index') },
    // Refuse names that some file systems would treat as `.git`.
    settings: { 'core.protectHFS': 'true', 'core.protectNTFS': 'true' },
  }
  const git = ['--git-dir', gitDir]
  let warnings = ''
  const onMessages = (text: string) => (warnings = text)
  await runGit([...git, 'read-tree', ...(base === undefined ? ['--empty'] : [base])], options)
  await runGit([...git, 'update-index', '-z', '--index-info'], { ...options, input, onMessages })
  // Git only warns about paths that are not allowed in a tree, such as `.git`, and skips them.
  if (/ignoring path/i.test(warnings)) throw new FileChangeError('Path is not valid')
  return (await runGit([...git, 'write-tree'], options)).trim()
}
