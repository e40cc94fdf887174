import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { findPostgres } from '../../scripts/setup/postgres.mjs'
import { freePort } from './free-port.mjs'

const run = promisify(execFile)

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} Postgres */

/**
 * An empty PostgreSQL server, its data in a temporary folder, as it is installed: a commit is on the disk when it returns.
 */
export async function startPostgres() {
  const programs = await findPostgres()
  if (!programs) throw new Error('No PostgreSQL server programs found: install the package "postgresql"')
  const account = await serverAccount()
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-postgres-'))
  if (account) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const options = { ...account, cwd: folder }
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'switchyard', '-A', 'trust', '-E', 'UTF8', '--no-locale'],
    options,
  )
  const port = await freePort()
  const server = spawn(
    join(programs, 'postgres'),
    [
      '-D',
      data,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `port=${port}`,
      '-c',
      `unix_socket_directories=${folder}`,
    ],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const lines = createInterface({ input: server.stderr })
  await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve(undefined)
      if (line.includes('FATAL:')) reject(new Error(line))
    })
    server.once('exit', () => reject(new Error('PostgreSQL ended')))
  })
  return {
    pid: server.pid,
    url: `postgres://switchyard@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The server does not run as root; the distribution's package creates an account for it. */
async function serverAccount() {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}
