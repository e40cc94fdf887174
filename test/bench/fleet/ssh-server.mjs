import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { freePort } from '../free-port.mjs'

const run = promisify(execFile)

const POLL_MILLISECONDS = 20

const USERS = 'root:x:0:0:root:/:/bin/sh\nsshd:x:100:65534::/run/sshd:/usr/sbin/nologin\n'

/**
 * Starts sshd on loopback addresses, each of which is a machine whose `docker` uses the engine at `dockerHost`. Until the
 * end, `ssh` of this process and of those that it starts knows the keys of the machines.
 * @param {string} folder
 * @param {string} dockerHost
 * @param {string[]} addresses such as `127.0.0.2`
 */
export async function startSshServer(folder, dockerHost, addresses) {
  await mkdir(join(folder, 'bin'), { recursive: true })
  const port = await freePort()
  for (const name of ['host', 'key'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  await copyFile(join(folder, 'key.pub'), join(folder, 'authorized_keys'))
  const path = process.env['PATH'] ?? ''
  const settings = [
    `Port ${port}`,
    ...addresses.map((address) => `ListenAddress ${address}`),
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    // All hosts connect at once.
    'MaxStartups 100',
    `SetEnv DOCKER_HOST=${dockerHost} PATH=${path}`,
  ]
  await writeFile(join(folder, 'sshd_config'), settings.join('\n'))
  const [type, key] = (await readFile(join(folder, 'host.pub'), 'utf8')).split(' ')
  for (const address of addresses)
    await appendFile(join(folder, 'known_hosts'), `[${address}]:${port} ${type} ${key}\n`)
  await useSettings(folder, path)
  // sshd of root wants this folder.
  await mkdir('/run/sshd', { recursive: true })
  // The shell there reads no settings of this machine, which can take longer than a job.
  await writeFile(join(folder, 'passwd'), USERS)
  const server = spawn(
    'unshare',
    [
      ...['--mount', 'sh', '-c', 'mount --bind "$0" /etc/passwd && exec "$@"', join(folder, 'passwd')],
      ...['/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'sshd_config')],
    ],
    { stdio: 'ignore' },
  )
  const isEnded = () => server.exitCode !== null
  for (const address of addresses) await untilListening(address, port, isEnded)
  return {
    keyFile: join(folder, 'key'),
    hosts: addresses.map((address) => `ssh://${userInfo().username}@${address}:${port}`),
    async stop() {
      process.env['PATH'] = path
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}

/**
 * Puts an `ssh` first in the PATH that has settings of its own.
 * @param {string} folder
 * @param {string} path
 */
async function useSettings(folder, path) {
  const config = join(folder, 'ssh_config')
  const known = `UserKnownHostsFile ${join(folder, 'known_hosts')}`
  await writeFile(config, `${known}\nGlobalKnownHostsFile none\nIdentityAgent none\n`)
  await writeFile(join(folder, 'bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${config} "$@"\n`)
  await chmod(join(folder, 'bin/ssh'), 0o755)
  process.env['PATH'] = `${join(folder, 'bin')}:${path}`
}

/**
 * @param {string} host
 * @param {number} port
 * @param {() => boolean} isEnded
 */
async function untilListening(host, port, isEnded) {
  for (;;) {
    if (isEnded()) throw new Error('sshd ended')
    const socket = connect({ host, port })
    try {
      await once(socket, 'connect')
      return
    } catch {
      await pause(POLL_MILLISECONDS)
    } finally {
      socket.destroy()
    }
  }
}
