import { randomBytes } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissing, removeTree } from './remove-tree.js'

const ASIDE = 'removed-'

/**
 * Moves `path` away without waiting for its removal. It becomes a nameless directory of `home`, which no job sees,
 * until `removeSetAside`. For a link, the link itself is moved.
 */
export async function setAside(path: string, home: string): Promise<void> {
  try {
    await rename(path, join(home, `${ASIDE}${randomBytes(6).toString('hex')}`))
  } catch (error) {
    // An immutable directory, for example, cannot be moved, and is removed instead.
    if (!isMissing(error)) await removeTree(path)
  }
}

/** Removes what was set aside in `home`, including by killed processes. */
export async function removeSetAside(home: string): Promise<void> {
  const names = await readdir(home)
  for (const name of names) if (name.startsWith(ASIDE)) await removeTree(join(home, name))
}
