import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile, readIfThere } from '../../../../../lib/files.js'
import { pause } from '../../../../../lib/pause.js'

const PID_FILE = 'pid'
/** Milliseconds between two checks whether a process has ended, which no event reports. */
const POLL = 20

export function socketIn(folder: string): string {
  return join(folder, 'sock')
}

/**
 * Starts an engine that keeps everything in `folder`. It has its own processes, which all end with it, its own network,
 * and its own mounts. It outlives this process.
 */
export function startEngine(folder: string): void {
  const log = openSync(join(folder, 'log'), 'a')
  // The shell writes its number before anything else, so that no engine is without one. `exec` keeps the number.
  const script = 'echo $$ > "$0" && exec unshare --net --mount --pid --fork --kill-child --mount-proc "$@"'
  const inside = (name: string) => join(folder, name)
  const engine = [
    ...[
      'dockerd',
      '--data-root',
      inside('data'),
      '--exec-root',
      inside('exec'),
      '--pidfile',
      inside('dockerd'),
    ],
    // No rules and no bridge: the tables of the machine stay as they are.
    ...['--host', `unix://${socketIn(folder)}`, '--bridge', 'none', '--iptables=false', '--ip-masq=false'],
  ]
  const options = { detached: true, stdio: ['ignore', log, log] } satisfies Parameters<typeof spawn>[2]
  spawn('sh', ['-c', script, inside(PID_FILE), ...engine], options).unref()
}

/** Whether an engine was started in the folder, and whether it still runs. */
export async function engineState(folder: string): Promise<'absent' | 'running' | 'ended'> {
  const pid = await pidIn(folder)
  if (pid === undefined) return 'absent'
  return (await isRunning(pid, folder)) ? 'running' : 'ended'
}

/** Ends the engine of the folder with all its containers. Resolves when it has ended. */
export async function killEngine(folder: string): Promise<void> {
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
