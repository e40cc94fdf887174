import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { deferred } from '../../../lib/deferred.js'
import { isMissingFile } from '../../../lib/files.js'
import { pause } from '../../../lib/pause.js'
import { watchDirectory } from '../../../lib/watch-directory.js'

/** Milliseconds between two checks, in case changes are not reported. */
const POLL = 500

/** Waits until something exists at `path`, and returns what it is. Throws the reason of `signal` if that aborts before. */
export async function untilThere(path: string, signal: AbortSignal): Promise<Stats> {
  let changed = deferred()
  const watcher = watchDirectory(dirname(path), () => changed.resolve())
  try {
    for (;;) {
      signal.throwIfAborted()
      changed = deferred()
      const stats = await statsOf(path)
      if (stats) return stats
      await untilChanged(changed.promise, signal)
    }
  } finally {
    watcher?.close()
  }
}

async function untilChanged(changed: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const over = new AbortController()
  const abort = () => over.abort()
  signal.addEventListener('abort', abort)
  await Promise.race([changed, pause(POLL, over.signal)])
  abort()
  signal.removeEventListener('abort', abort)
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}
