import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { freePort } from './free-port.js'
import { onFinished } from './lifetime.js'
import { tempDir } from './temp-dir.js'
import { untilListening } from './until-listening.js'

const run = promisify(execFile)

/** A machine that is reached by ssh: Debian's sshd on a loopback address, with a host key of its own. */
export interface SshServer {
  /** `ssh://user@127.0.0.1:port` */
  host: string
  /** Private key that may log in. */
  keyFile: string
  /** The file that the ssh of this process uses, while the test runs. */
  knownHosts: string
  /** Kills the server and its connections, like a machine that is switched off. */
  kill(): Promise<void>
  /** Starts it again. */
  start(): Promise<void>
}

/**
 * Starts sshd. `dockerHost`: address of the engine that `docker` uses there. `address`: a loopback address. Until the end
 * of the test, ssh of this process has its own settings and knows only these host keys.
 */
export async function startSshServer(options: {
  dockerHost: string
  address?: string
  path?: string
  /** The network namespace of the machine. */
  namespace?: string
}): Promise<SshServer> {
  const folder = await tempDir()
  const { address = '127.0.0.1' } = options
  const port = await freePort()
  await Promise.all(['host', 'key'].map((name) => makeKey(join(folder, name))))
  await run('cp', [join(folder, 'key.pub'), join(folder, 'authorized_keys')])
  const path = options.path ?? process.env['PATH'] ?? ''
  await writeFile(
    join(folder, 'sshd_config'),
    `Port ${port}
ListenAddress ${address}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'authorized_keys')}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv DOCKER_HOST=${options.dockerHost} PATH=${path}
`,
  )
  const knownHosts = await useOwnSettings(folder)
  const hostKey = (await readFile(join(folder, 'host.pub'), 'utf8')).split(' ').slice(0, 2).join(' ')
  await writeFile(knownHosts, `[${address}]:${port} ${hostKey}\n`, { flag: 'a' })
  // sshd of root wants this folder.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  let end = () => Promise.resolve()
  const start = async () => {
    const command = [...(await ownShell(folder)), join(folder, 'sshd_config')]
    const { namespace } = options
    const [program = '', ...args] = namespace ? ['ip', 'netns', 'exec', namespace, ...command] : command
    const server = spawn(program, args, { stdio: 'ignore' })
    end = async () => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      await killTree(server.pid ?? 0)
      await ended
    }
    await untilListening(address, port)
  }
  await start()
  onFinished(() => end())
  const host = `ssh://${userInfo().username}@${address}:${port}`
  return { host, keyFile: join(folder, 'key'), knownHosts, start, kill: () => end() }
}

/**
 * What starts sshd. Where the test may change what it sees, users have a shell that reads no settings of this machine: those
 * of a developer can take longer than the test.
 */
async function ownShell(folder: string): Promise<string[]> {
  const sshd = ['/usr/sbin/sshd', '-D', '-e', '-f']
  if (process.getuid?.() !== 0) return sshd
  const users = join(folder, 'passwd')
  await writeFile(users, 'root:x:0:0:root:/:/bin/sh\nsshd:x:100:65534::/run/sshd:/usr/sbin/nologin\n')
  return ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/passwd && exec "$@"', users, ...sshd]
}

async function makeKey(file: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
}

let settings: { folder: string; users: number } | undefined

/** Puts an `ssh` first in the PATH that has settings of the test. Returns its `known_hosts`. */
async function useOwnSettings(folder: string): Promise<string> {
  if (!settings) {
    const current = { folder, users: 0 }
    settings = current
    const config = join(folder, 'ssh_config')
    await writeFile(
      config,
      `UserKnownHostsFile ${join(folder, 'known_hosts')}\nGlobalKnownHostsFile none\nIdentityAgent none\n`,
    )
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${config} "$@"\n`)
    await chmod(join(folder, 'bin/ssh'), 0o755)
    const before = process.env['PATH'] ?? ''
    process.env['PATH'] = `${join(folder, 'bin')}:${before}`
    onFinished(() => {
      settings = undefined
      process.env['PATH'] = before
    })
  }
  return join(settings.folder, 'known_hosts')
}

/** A killed sshd leaves the processes of its connections running. */
async function killTree(pid: number): Promise<void> {
  const { stdout } = await run('ps', ['-e', '-o', 'pid=,ppid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const pids = [pid]
  for (const parent of pids) pids.push(...pairs.flatMap(([own, of]) => (of === parent && own ? [own] : [])))
  for (const each of pids) {
    try {
      process.kill(each, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
