import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile, readIfThere, replaceFile } from '../../../lib/files.js'
import { pause } from '../../../lib/pause.js'

/** Names the process that serves requests. */
const FILE = 'helper.pid'
/** Milliseconds in which a process ends its requests after SIGTERM. Then it gets SIGKILL. */
const END_LIMIT = 5_000
const POLL = 20

/**
 * Makes this process the only one that works in the directories of a helper. The one before ends: its runner has lost the
 * connection, or is another one. Two processes that start at the same time are a mistake of the runner, which connects once
 * at a time.
 */
export async function replaceEarlierProcess(directory: string): Promise<void> {
  const file = join(directory, FILE)
  const earlier = await readIfThere(file)
  if (earlier !== undefined) await endProcess(earlier)
  await replaceFile(file, (await identityOf(process.pid)) ?? '')
}

/** `identity` includes the time of the start, because the system gives a number to another process later. */
async function endProcess(identity: string): Promise<void> {
  const pid = Number(identity.split(' ')[0])
  if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return
  const limit = performance.now() + END_LIMIT
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; (await identityOf(pid)) === identity;) {
    kill(pid, signal)
    await pause(POLL)
    signal = performance.now() > limit ? 'SIGKILL' : 0
  }
}

/** The number of a process and the time of its start. Undefined if it has ended. */
async function identityOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : `${pid} ${fields[18]}`
  } catch (error) {
    if (isMissingFile(error) || isEnded(error)) return undefined
    throw error
  }
}

function kill(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isEnded(error)) throw error
  }
}

function isEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH'
}
