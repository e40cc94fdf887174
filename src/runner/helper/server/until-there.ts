import { type FSWatcher, type Stats, watch } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { deferred } from '../../../lib/deferred.js'
import { isMissingFile } from '../../../lib/files.js'
import { pause } from '../../../lib/pause.js'

/** Milliseconds between two checks, in case changes are not reported. */
const POLL = 500

/** Waits until something exists at `path`, and returns what it is. Throws the reason of `signal` if that aborts before. */
export async function untilThere(path: string, signal: AbortSignal): Promise<Stats> {
  let changed = deferred()
  const watcher = openWatcher(dirname(path), () => changed.resolve())
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

/** Undefined if the directory does not exist yet, or the machine allows no more watchers. */
function openWatcher(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(directory, onChange).on('error', () => {})
  } catch {
    return undefined
  }
}
