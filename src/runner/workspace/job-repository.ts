import { copyFile, lchown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Ref } from './read-refs.js'
import { isMissing, removeTree } from './remove-tree.js'
import type { FileOwner } from './workspace.js'

export interface JobRepositoryPaths {
  /** Directory on the host to write: the `.git` of a work tree, or one that a `.git` file refers to. */
  directory: string
  /** The runner's repository, whose index is copied. */
  hostDir: string
  /** Path of the objects of `hostDir` in the job. */
  objectsDir: string
  /** The work tree as seen from `directory`. Absent if it is the parent directory. */
  workTree?: string
}

export interface JobRepositoryContent {
  /** Content of `HEAD`: a commit ID, or `ref: <name>`. */
  head: string
  /** URL of `origin`, without credentials. */
  url: string
  refs: Ref[]
  /** `sha1` or `sha256`. */
  objectFormat: string
  /** Gives git in the job the credentials for the server of the project. */
  helper?: { origin: string; value: string } | undefined
  /** Submodules for git in the job, with URLs without credentials. */
  submodules?: { name: string; url: string }[]
}

/**
 * Writes the repository of a job from scratch. Neither the runner nor the next job ever reads the files that the last
 * job left there. The objects stay in the host's repository, which the container mounts read-only.
 */
export async function writeJobRepository(
  paths: JobRepositoryPaths,
  content: JobRepositoryContent,
): Promise<void> {
  const git = paths.directory
  await removeTree(git)
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs/heads', 'info'].map((name) =>
      mkdir(join(git, name), { recursive: true }),
    ),
  )
  await Promise.all([
    writeFile(join(git, 'HEAD'), `${content.head}\n`),
    writeFile(join(git, 'config'), configText(content, paths.workTree)),
    writeFile(join(git, 'packed-refs'), content.refs.map(({ sha, name }) => `${sha} ${name}\n`).join('')),
    writeFile(join(git, 'objects/info/alternates'), `${paths.objectsDir}\n`),
    copyIfThere(join(paths.hostDir, 'index'), join(git, 'index')),
    copyIfThere(join(paths.hostDir, 'shallow'), join(git, 'shallow')),
  ])
}

/**
 * Makes `owner` the owner of a file, or of a directory and everything in it. The runner must have just written it.
 */
export async function changeOwner(owner: FileOwner, path: string): Promise<void> {
  await lchown(path, owner.uid, owner.gid)
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }).catch(nothingInside)) {
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  }
}

function nothingInside(error: unknown): [] {
  if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
  throw error
}

function configText(
  { url, objectFormat, helper, submodules = [] }: JobRepositoryContent,
  workTree?: string,
): string {
  const isDefault = objectFormat === 'sha1'
  return [
    '[core]',
    `\trepositoryformatversion = ${isDefault ? 0 : 1}`,
    '\tfilemode = true',
    '\tbare = false',
    '\tlogallrefupdates = true',
    ...(workTree === undefined ? [] : [`\tworktree = ${quoted(workTree)}`]),
    ...(isDefault ? [] : ['[extensions]', `\tobjectformat = ${objectFormat}`]),
    '[remote "origin"]',
    `\turl = ${quoted(url)}`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    ...submodules.flatMap((submodule) => [
      `[submodule ${quoted(submodule.name)}]`,
      '\tactive = true',
      `\turl = ${quoted(submodule.url)}`,
    ]),
    ...(helper ? [`[credential ${quoted(helper.origin)}]`, `\thelper = ${quoted(helper.value)}`] : []),
    // Garbage collection would copy the borrowed objects into the work tree.
    '[gc]',
    '\tauto = 0',
    '',
  ].join('\n')
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
