import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'

import { findPostgres } from '../../scripts/setup/postgres.mjs'
import { freePort } from './free-port.js'

const execute = promisify(execFile)

/** The account of the server; a temporary server on loopback needs no password. */
const SUPERUSER = 'switchyard'

export interface PostgresServer {
  /** Of the maintenance database, as a superuser. */
  url: string
  /** The same, through the server's Unix socket: a query takes two thirds of the time of one over TCP. */
  socketUrl: string
  stop(): Promise<void>
}

interface Account {
  uid: number
  gid: number
}

type Keeper = ChildProcessByStdio<Writable, null, Readable>

/** Starts an empty PostgreSQL server on a free loopback port, its data in a temporary directory. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const binaries = await findPostgres()
  if (!binaries) throw new Error('No PostgreSQL server programs found: install the package "postgresql"')
  const account = await serverAccount()
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-postgres-'))
  if (account) await chown(directory, account.uid, account.gid)

  const data = join(directory, 'data')
  await execute(
    join(binaries, 'initdb'),
    ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...account, cwd: directory },
  )
  const port = await freePort()
  const keeper = keepServer(
    join(binaries, 'postgres'),
    serverArguments(data, directory, port),
    directory,
    account,
  )
  await readiness(keeper)
  return {
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`,
    socketUrl: `postgres://${SUPERUSER}@localhost:${port}/postgres?host=${encodeURIComponent(directory)}`,
    stop: () => stopKeeper(keeper),
  }
}

/** The server does not run as root; the distribution's package creates an account for it. */
async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all([execute('id', ['-u', 'postgres']), execute('id', ['-g', 'postgres'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function serverArguments(data: string, directory: string, port: number): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${directory}`,
    'max_connections=200',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'autovacuum=off',
  ]
  return ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
}

/**
 * Runs the server until standard input ends, then stops it and removes its files. The kernel closes that pipe however
 * the test run ends, SIGKILL included, so no server is ever left behind.
 */
const KEEPER = 'directory=$1; shift; "$@" & cat >/dev/null; kill -INT $!; wait; cd /; rm -rf "$directory"'

function keepServer(
  program: string,
  args: string[],
  directory: string,
  account: Account | undefined,
): Keeper {
  return spawn('sh', ['-c', KEEPER, 'sh', directory, program, ...args], {
    ...account,
    cwd: directory,
    // A separate process group: Ctrl-C in the terminal stops the test run, which then closes the pipe.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

/** Reads its output as long as it runs: a server blocks when the pipe is full. */
function readiness(keeper: Keeper): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    let isReady = false
    const refuse = () => {
      keeper.stdin.end()
      reject(new Error(`PostgreSQL did not start:\n${output}`))
    }
    keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (isReady) return
      output += text
      isReady = output.includes('ready to accept connections')
      if (isReady) resolve()
      else if (output.includes('FATAL:')) refuse()
    })
    keeper.stderr.once('end', refuse)
  })
}

function stopKeeper(keeper: Keeper): Promise<void> {
  return new Promise((resolve) => {
    keeper.once('exit', () => resolve())
    keeper.stdin.end()
  })
}
