import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import Docker from 'dockerode'

import { IMAGE } from '../docker.mjs'

const POLL_MILLISECONDS = 50

/**
 * Starts a Docker engine with the image of the benchmarks, in namespaces of its own: it does not see the files of the
 * runner, as if it ran on another machine. Its containers reach no network.
 * @param {string} folder of the engine
 * @param {string} hidden folder of the runner
 */
export async function startEngine(folder, hidden) {
  await mkdir(folder)
  const inside = (/** @type {string} */ name) => join(folder, name)
  const host = `unix://${inside('docker.sock')}`
  const log = createWriteStream(inside('log'))
  const process_ = spawn(
    'unshare',
    [
      ...['--net', '--mount', 'sh', '-c', 'mount -t tmpfs tmpfs "$0" && exec dockerd "$@"', hidden],
      ...['--data-root', inside('data'), '--exec-root', inside('exec'), '--pidfile', inside('pid')],
      ...['--host', host, '--bridge', 'none', '--iptables=false', '--ip-masq=false'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  process_.stdout.pipe(log, { end: false })
  process_.stderr.pipe(log, { end: false })
  const engine = new Docker({ socketPath: inside('docker.sock') })
  while (!(await responds(engine))) {
    if (process_.exitCode !== null) throw new Error(`dockerd ended; its log is ${inside('log')}`)
    await pause(POLL_MILLISECONDS)
  }
  const loading = await engine.loadImage(await new Docker().getImage(IMAGE).get())
  loading.resume()
  await once(loading, 'end')
  return {
    host,
    async stop() {
      const ended = once(process_, 'exit')
      process_.kill('SIGTERM')
      await ended
      log.end()
    },
  }
}

/** @param {Docker} engine */
async function responds(engine) {
  try {
    await engine.ping()
    return true
  } catch {
    return false
  }
}
