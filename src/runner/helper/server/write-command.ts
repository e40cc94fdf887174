import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'

import { pause } from '../../../lib/pause.js'
import { ExecutorError } from '../../executor/executor.js'

/** Milliseconds between two attempts, and their number: a reader that takes nothing for so long has stopped. */
const RETRY = 100
const ATTEMPTS = 300

/**
 * Writes a line for the supervisor into its FIFO. The job can replace or fill it, so nothing here waits in the kernel. Throws
 * an `ExecutorError` if nobody reads it.
 */
export async function writeCommand(fifo: string, line: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    signal.throwIfAborted()
    if (await writeOnce(fifo, `${line}\n`)) return
    await pause(RETRY, signal)
  }
  throw new ExecutorError('The process that runs the scripts of the job does not respond', 'script_failure')
}

async function writeOnce(fifo: string, line: string): Promise<boolean> {
  try {
    // Opening a device may trigger it.
    if (!(await lstat(fifo)).isFIFO()) return false
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
    await using file = await open(fifo, flags)
    if (!(await file.stat()).isFIFO()) return false
    // A short write to a FIFO is all or nothing.
    await file.write(line)
    return true
  } catch (error) {
    if (isUnready(error)) return false
    throw error
  }
}

/** Milliseconds between two checks for a reader. */
const CHECK = 1000

/**
 * Resolves when nobody reads a FIFO any more, as when the container of the supervisor has ended, and when `signal` aborts. A
 * FIFO that the job has replaced says nothing.
 */
export async function untilUnread(fifo: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isUnread(fifo))) await pause(CHECK, signal)
}

async function isUnread(fifo: string): Promise<boolean> {
  try {
    if (!(await lstat(fifo)).isFIFO()) return false
    await (await open(fifo, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)).close()
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENXIO'
  }
}

/** Whether there is no reader, no room or no FIFO. */
function isUnready(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENXIO', 'EAGAIN', 'EPIPE', 'ENOENT', 'ELOOP', 'EACCES'].includes(code)
}
