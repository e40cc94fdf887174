import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Ref } from './host-repository.js'
import type { WorkspaceLayout } from './layout.js'
import { isMissing, removeTree } from './remove-tree.js'

export interface JobRepositoryContent {
  sha: string
  /** Of `origin`, without credentials. */
  url: string
  refs: Ref[]
  /** `sha1` or `sha256`. */
  objectFormat: string
}

/**
 * Writes the `.git` of the work tree afresh: what the last job left there is never read, neither by the runner nor by
 * the next job. The objects stay with the host's repository, which the container has mounted read-only.
 */
export async function writeJobRepository(
  layout: WorkspaceLayout,
  content: JobRepositoryContent,
): Promise<void> {
  const git = join(layout.workTree, '.git')
  await removeTree(git)
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs/heads', 'info'].map((name) =>
      mkdir(join(git, name), { recursive: true }),
    ),
  )
  await Promise.all([
    writeFile(join(git, 'HEAD'), `${content.sha}\n`),
    writeFile(join(git, 'config'), configText(content)),
    writeFile(join(git, 'packed-refs'), content.refs.map(({ sha, name }) => `${sha} ${name}\n`).join('')),
    writeFile(join(git, 'objects/info/alternates'), `${layout.objectsDir}\n`),
    copyIfThere(join(layout.gitDir, 'index'), join(git, 'index')),
    copyIfThere(join(layout.gitDir, 'shallow'), join(git, 'shallow')),
  ])
}

function configText({ url, objectFormat }: JobRepositoryContent): string {
  const isDefault = objectFormat === 'sha1'
  return [
    '[core]',
    `\trepositoryformatversion = ${isDefault ? 0 : 1}`,
    '\tfilemode = true',
    '\tbare = false',
    '\tlogallrefupdates = true',
    ...(isDefault ? [] : ['[extensions]', `\tobjectformat = ${objectFormat}`]),
    '[remote "origin"]',
    `\turl = "${url.replace(/[\\"]/g, '\\$&')}"`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    // Collecting garbage would copy the objects that are borrowed into the work tree.
    '[gc]',
    '\tauto = 0',
    '',
  ].join('\n')
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
