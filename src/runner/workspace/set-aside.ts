import { randomBytes } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { pause } from '../../lib/pause.js'
import { isMissing, removeTree } from './remove-tree.js'

const ASIDE = 'removed-'
/** Milliseconds after which a removal continues without its caller, so that it does not keep the slot of the job. */
const REMOVAL_LIMIT = 5000

/**
 * Moves `path` away without waiting for its removal. It becomes a nameless directory of `home`, which no job sees,
 * until `removeSetAside`. If it is a link, the link itself is moved.
 */
export async function setAside(path: string, home: string): Promise<void> {
  try {
    await rename(path, join(home, `${ASIDE}${randomBytes(6).toString('hex')}`))
  } catch (error) {
    // An immutable directory, for example, cannot be moved, and is removed instead.
    if (!isMissing(error)) await removeTree(path)
  }
}

/** By home. */
const removals = new Map<string, Promise<void>>()

/**
 * Removes what was set aside in `home`, including by killed processes. A job can leave millions of files: after a few
 * seconds the removal continues in the background, where nothing reports its errors. The next call finds what is left.
 */
export async function removeSetAside(home: string): Promise<void> {
  const removal = removals.get(home) ?? startRemoval(home)
  const over = new AbortController()
  const ended = removal.finally(() => over.abort())
  await Promise.race([ended, pause(REMOVAL_LIMIT, over.signal)])
}

function startRemoval(home: string): Promise<void> {
  const removal = removeAll(home).finally(() => removals.delete(home))
  removal.catch(() => {})
  removals.set(home, removal)
  return removal
}

async function removeAll(home: string): Promise<void> {
  const names = await readdir(home)
  for (const name of names) if (name.startsWith(ASIDE)) await removeTree(join(home, name))
}
