import { join } from 'node:path'

import type { HostRepository } from './host-repository.js'
import { setAside } from './set-aside.js'

/**
 * Removes files of a job that control how git writes content. Attributes that are not part of the commit would
 * change line ends, or worse, in the next job's files before they are cleaned. They are set aside in `aside`. `mayHaveAttributes` is false if the
 * tree is known to have no attributes file, which saves a process.
 */
export async function removeLeftSettings(
  repository: HostRepository,
  aside: string,
  mayHaveAttributes = true,
): Promise<void> {
  const names = mayHaveAttributes ? await repository.untrackedFiles([':(glob)**/.gitattributes']) : []
  for (const name of [...names, '.lfsconfig']) {
    if (!name.endsWith('/')) await setAside(join(repository.workTree, name), aside)
  }
}
