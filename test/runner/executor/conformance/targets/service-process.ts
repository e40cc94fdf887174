import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type Docker from 'dockerode'

import { onFinished } from '../../../../support/lifetime.js'

export interface ServiceOptions {
  /** A folder of the service, with its log. */
  folder: string
  environment?: Record<string, string>
  /** A shell script that runs before the program, with the folder as `$0`. */
  before?: string
}

/** Ends with all its processes when the first of them ends, and so do its mounts. */
const NAMESPACE = ['--mount', '--pid', '--fork', '--mount-proc']

/**
 * Starts an engine in a namespace of its own, so that no process and no mount of it is left on the machine. It is stopped
 * by `onFinished`.
 */
export async function startEngine(
  command: string[],
  docker: Docker,
  { folder, environment = {}, before = 'true' }: ServiceOptions,
): Promise<void> {
  const log = openSync(join(folder, 'log'), 'a')
  const script = `set -e; ${before}; exec "$@"`
  const child = spawn('unshare', [...NAMESPACE, 'sh', '-c', script, folder, ...command], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...environment },
  })
  closeSync(log)
  const ended = once(child, 'exit')
  onFinished(async () => {
    // Its child is the first process of the namespace. It is not killed with unshare if it has changed its user.
    if (child.exitCode === null) process.kill(await onlyChildOf(child.pid), 'SIGKILL')
    await ended
  })
  while (!(await responds(docker))) {
    if (child.exitCode === null) continue
    throw new Error(`${command[0]} ended: ${(await readFile(join(folder, 'log'), 'utf8')).slice(-2000)}`)
  }
}

async function onlyChildOf(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim())
}

async function responds(docker: Docker): Promise<boolean> {
  try {
    await docker.ping()
    return true
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50)) // the engine sends no event when it is ready
    return false
  }
}
