import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile, namesIn, readIfThere } from '../../../../../lib/files.js'
import { pause } from '../../../../../lib/pause.js'
import { lastLine } from './run-command.js'

const PID_FILE = 'pid'
const LOG_FILE = 'log'
/** Milliseconds within which an engine that is started has a process. */
const MAX_START = 30_000
/** Milliseconds between two checks whether a process has ended, which no event reports. */
const POLL = 20

/** Sockets are here, because their paths must be short: about a hundred characters, by a limit of Linux. */
const RUNTIME_FOLDER = '/run/switchyard-engines'

export function socketOf(folder: string): string {
  return join(runtimeFolder(folder), 'docker.sock')
}

function runtimeFolder(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex')
  return join(RUNTIME_FOLDER, digest.slice(0, 16))
}

/**
 * Starts an engine that keeps everything but its sockets in `folder`. It has its own processes, which all end with it, its
 * own network, and its own mounts. It outlives this process.
 */
export async function startEngine(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(runtimeFolder(folder), { recursive: true, mode: 0o700 })
  const log = openSync(join(folder, LOG_FILE), 'a')
  // The shell writes its number before anything else, so that no engine is without one. `exec` keeps the number.
  const script = 'echo $$ > "$0" && exec unshare --net --mount --pid --fork --kill-child --mount-proc "$@"'
  const inside = (name: string) => join(folder, name)
  const engine = [
    ...['dockerd', '--data-root', inside('data'), '--pidfile', inside('dockerd')],
    ...['--exec-root', join(runtimeFolder(folder), 'exec'), '--host', `unix://${socketOf(folder)}`],
  ]
  const options = { detached: true, stdio: ['ignore', log, log] } satisfies Parameters<typeof spawn>[2]
  spawn('sh', ['-c', script, inside(PID_FILE), ...engine], options).unref()
  closeSync(log)
}

/**
 * Whether an engine was started in the folder, and whether it still runs. One whose start was cut off, as by a runner that
 * was killed, has ended.
 */
export async function engineState(folder: string): Promise<'absent' | 'running' | 'ended'> {
  const pid = await pidIn(folder)
  if (pid === undefined) return (await isOlderThan(folder, MAX_START)) ? 'ended' : 'absent'
  return (await isRunning(pid, folder)) ? 'running' : 'ended'
}

async function isOlderThan(folder: string, milliseconds: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(folder)).mtimeMs > milliseconds
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}

/** The last line that the engine logged. */
export async function lastWords(folder: string): Promise<string> {
  return lastLine((await readIfThere(join(folder, LOG_FILE))) ?? '')
}

/** Ends the engine of the folder with all its containers, and removes its files. */
export async function removeEngine(folder: string): Promise<void> {
  await killEngine(folder)
  await rm(runtimeFolder(folder), { recursive: true, force: true })
  // Processes of an engine that was killed by others may still write for a moment.
  const patient = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }
  const names = await namesIn(folder)
  for (const name of names) if (name !== PID_FILE) await rm(join(folder, name), patient)
  // Last, because by this file an engine is known whose removal was interrupted.
  await rm(folder, patient)
}

/** Resolves when the engine has ended. */
async function killEngine(folder: string): Promise<void> {
  const pid = await pidIn(folder)
  if (pid === undefined || !(await isRunning(pid, folder))) return
  process.kill(pid, 'SIGKILL')
  while (await isRunning(pid, folder)) await pause(POLL)
}

async function pidIn(folder: string): Promise<number | undefined> {
  const text = await readIfThere(join(folder, PID_FILE))
  const pid = Number(text)
  return text !== undefined && Number.isInteger(pid) && pid > 1 ? pid : undefined
}

/** Another process may have the number of one that has ended. It does not name the folder. */
async function isRunning(pid: number, folder: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(folder)
  } catch (error) {
    if (isMissingFile(error) || isGone(error)) return false
    throw error
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH'
}
