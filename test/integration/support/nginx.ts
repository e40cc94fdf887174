import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import { ensureNginx } from '../../../scripts/setup/nginx.mjs'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { until } from './until.js'

const CONFIGURATION = 'config/nginx.conf'

/**
 * Starts nginx with the configuration that users get, on a port of this machine and in front of these two coordinators.
 * It ends when the test has finished.
 */
export async function startNginx(port: number, coordinators: readonly string[]): Promise<void> {
  const folder = await tempDir()
  const site = join(folder, 'site.conf')
  const places = new Map([
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ...coordinators.map((url, index): [string, string] => [
      `coordinator-${index + 1}:8929`,
      new URL(url).host,
    ]),
  ])
  await writeFile(site, replaced(await readFile(CONFIGURATION, 'utf8'), places))
  await writeFile(join(folder, 'nginx.conf'), mainConfiguration(folder, site))
  const nginx = spawn(await ensureNginx(), ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  nginx.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)))
  onFinished(() => ended(nginx))
  await until(
    'nginx to listen',
    () => isListening(port),
    () => log,
  )
}

/** One process, so that its end is the end of nginx. */
function mainConfiguration(folder: string, site: string): string {
  const buffers = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  access_log off;
  ${buffers.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  include ${site};
}
`
}

/** Fails if the configuration does not have one of the places, exactly once. */
function replaced(text: string, places: ReadonlyMap<string, string>): string {
  let result = text
  for (const [place, value] of places) {
    const parts = result.split(place)
    if (parts.length !== 2) throw new Error(`${CONFIGURATION} has "${place}" ${parts.length - 1} times`)
    result = parts.join(value)
  }
  return result
}

async function isListening(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return undefined // it does not listen yet
  } finally {
    socket.destroy()
  }
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode === null && process.signalCode === null) {
    process.kill('SIGTERM')
    await once(process, 'exit')
  }
}
