import { join } from 'node:path'

import type { HostRepository } from './host-repository.js'
import { removeTree } from './remove-tree.js'

/**
 * Takes away what a job left of the files by which git decides how content is written: attributes that are not of the
 * commit would change line ends, or worse, of the next job's files before cleaning gets to them. `mayHaveAttributes`:
 * unless it is known that the tree has no file of attributes at all, which saves a process.
 */
export async function removeLeftSettings(
  repository: HostRepository,
  mayHaveAttributes = true,
): Promise<void> {
  const names = mayHaveAttributes ? await repository.untrackedFiles([':(glob)**/.gitattributes']) : []
  for (const name of [...names, '.lfsconfig']) {
    if (!name.endsWith('/')) await removeTree(join(repository.workTree, name))
  }
}
