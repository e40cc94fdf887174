import { copyFile, lchown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Ref } from './read-refs.js'
import { isMissing, removeTree } from './remove-tree.js'
import type { FileOwner } from './workspace.js'

export interface JobRepositoryPlace {
  /** Directory of the host to write: the `.git` of a work tree, or one that a file `.git` there names. */
  directory: string
  /** The runner's repository, whose index is taken over. */
  hostDir: string
  /** Where the job sees the objects of `hostDir`. */
  objectsDir: string
  /** The work tree seen from `directory`, when it is not the directory around it. */
  workTree?: string
}

export interface JobRepositoryContent {
  /** Content of `HEAD`: a commit id, or `ref: <name>`. */
  head: string
  /** Of `origin`, without credentials. */
  url: string
  refs: Ref[]
  /** `sha1` or `sha256`. */
  objectFormat: string
  /** For git in the job: which submodules there are, their addresses without credentials. */
  submodules?: { name: string; url: string }[]
}

/**
 * Writes a job's repository afresh: what the last job left there is never read, neither by the runner nor by the next
 * job. The objects stay with the host's repository, which the container has mounted read-only.
 */
export async function writeJobRepository(
  place: JobRepositoryPlace,
  content: JobRepositoryContent,
): Promise<void> {
  const git = place.directory
  await removeTree(git)
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs/heads', 'info'].map((name) =>
      mkdir(join(git, name), { recursive: true }),
    ),
  )
  await Promise.all([
    writeFile(join(git, 'HEAD'), `${content.head}\n`),
    writeFile(join(git, 'config'), configText(content, place.workTree)),
    writeFile(join(git, 'packed-refs'), content.refs.map(({ sha, name }) => `${sha} ${name}\n`).join('')),
    writeFile(join(git, 'objects/info/alternates'), `${place.objectsDir}\n`),
    copyIfThere(join(place.hostDir, 'index'), join(git, 'index')),
    copyIfThere(join(place.hostDir, 'shallow'), join(git, 'shallow')),
  ])
}

/** Gives a file, or a directory with all that is in it, to `owner`; it is one that the runner has just written. */
export async function giveTo(owner: FileOwner, path: string): Promise<void> {
  await lchown(path, owner.uid, owner.gid)
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }).catch(nothingInside)) {
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  }
}

function nothingInside(error: unknown): [] {
  if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
  throw error
}

function configText({ url, objectFormat, submodules = [] }: JobRepositoryContent, workTree?: string): string {
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
    // Collecting garbage would copy the objects that are borrowed into the work tree.
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
