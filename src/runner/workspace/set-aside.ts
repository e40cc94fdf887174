import { randomBytes } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissing, removeTree } from './remove-tree.js'

const ASIDE = 'removed-'

/**
 * Takes away what is at `path` without waiting until it is removed: it becomes a nameless directory of `home`, which no
 * job sees, until `removeSetAside`. A link is taken away itself.
 */
export async function setAside(path: string, home: string): Promise<void> {
  try {
    await rename(path, join(home, `${ASIDE}${randomBytes(6).toString('hex')}`))
  } catch (error) {
    // What cannot be moved, such as an immutable directory, takes longer.
    if (!isMissing(error)) await removeTree(path)
  }
}

/** Removes what was set aside in `home`, by killed processes too. */
export async function removeSetAside(home: string): Promise<void> {
  const names = await readdir(home)
  for (const name of names) if (name.startsWith(ASIDE)) await removeTree(join(home, name))
}
