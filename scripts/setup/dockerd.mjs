import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { root } from './root.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

const LOG = join(root, '.switchyard/dockerd.log')
const PID_FILE = '/var/run/docker.pid'
const LOG_LINES_SHOWN = 15

/** Starts the engine as a background process of this command, with its log in a file. */
export async function startDockerd() {
  await mountControlGroups()
  await mkdir(join(root, '.switchyard'), { recursive: true, mode: 0o700 })
  const log = openSync(LOG, 'w')
  // A separate session, because Ctrl-C must reach only the command, which needs the engine for its cleanup.
  // It outlives a command that is killed, and the folder for temporary files that this one has.
  const { TMPDIR: _, ...env } = process.env
  const dockerd = spawn('dockerd', [], { detached: true, stdio: ['ignore', log, log], env })
  closeSync(log)
  const ended = once(dockerd, 'exit').catch(() => undefined)
  return {
    lastLines: () =>
      `${LOG} ends with\n${readFileSync(LOG, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n')}`,
    /** False once it has exited. If the package has just started an engine, that one owns the file and is waited for. */
    isStarting: () => dockerd.exitCode === null || existsSync(PID_FILE),
    async stop() {
      if (dockerd.exitCode !== null || dockerd.pid === undefined) return
      say('stopping the Docker engine that was started for this command')
      dockerd.kill('SIGTERM')
      await ended
    },
  }
}

/** Necessary without an init system, for example in a container. */
async function mountControlGroups() {
  const mounts = await readFile('/proc/self/mounts', 'utf8')
  if (/ cgroup2? /.test(mounts)) return
  await run('mount', ['-t', 'cgroup2', 'cgroup2', '/sys/fs/cgroup'])
}
