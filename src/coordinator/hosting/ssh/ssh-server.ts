import { createServer, type Server as NetServer, type Socket } from 'node:net'

import ssh2 from 'ssh2'

import { MINUTE } from '../../../lib/time-units.js'
import { subjectOfAddress } from '../../http/rate-limits/address-subject.js'
import { Counts } from './counts.js'
import { hostKeys } from './host-keys.js'
import { SshConnection } from './ssh-connection.js'
import type { SshLimits, SshServerDeps, SshTimeouts } from './ssh-server-deps.js'

const TIMEOUTS: SshTimeouts = {
  login: MINUTE / 2,
  unused: MINUTE / 2,
  silent: 10 * MINUTE,
  fetching: 2 * MINUTE,
}

/** Machines behind one address, and jobs with one deploy key, are many. */
const LIMITS: SshLimits = { logins: 200, loginsOfAddress: 50, ofHolder: 100 }

/** Without algorithms that use SHA-1, CBC or small groups. */
const ALGORITHMS: ssh2.Algorithms = {
  kex: [
    ...(['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256'] as const),
    ...(['ecdh-sha2-nistp384', 'ecdh-sha2-nistp521', 'diffie-hellman-group16-sha512'] as const),
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    ...(['chacha20-poly1305@openssh.com', 'aes256-gcm@openssh.com', 'aes128-gcm@openssh.com'] as const),
    ...(['aes256-ctr', 'aes192-ctr', 'aes128-ctr'] as const),
  ],
  hmac: [
    ...(['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'] as const),
    ...(['hmac-sha2-256', 'hmac-sha2-512'] as const),
  ],
  compress: ['none'],
}

export interface RunningSshServer {
  port: number
  /** Accepts no connections any more, lets git processes end until `isLate` aborts, and closes the connections. */
  stop(isLate?: AbortSignal): Promise<void>
}

/** Serves clone, fetch and push over SSH (API, B). There is no shell, no forwarding, no terminal and no file transfer. */
export async function startSshServer(
  deps: SshServerDeps,
  address: { host: string; port: number },
): Promise<RunningSshServer> {
  const timeouts = { ...TIMEOUTS, ...deps.timeouts }
  const limits = { ...LIMITS, ...deps.limits }
  const logins = new Map<string, Socket>()
  const loginsOfAddresses = new Counts()
  const holders = new Counts()
  const connections = new Set<SshConnection>()
  const protocol = new ssh2.Server({
    hostKeys: await hostKeys(deps.dataDir),
    algorithms: ALGORITHMS,
    ident: 'switchyard',
  })
  protocol.on('connection', (client, { ip, port }) => {
    const socket = logins.get(`${ip} ${port}`)
    if (!socket) {
      client.end()
      return
    }
    const connection = new SshConnection(deps, client, { socket, address: ip, timeouts })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    connection.onAuthenticated = (holder) => {
      if (logins.delete(`${ip} ${port}`)) loginsOfAddresses.remove(subjectOfAddress(ip))
      if (holders.of(holder) >= limits.ofHolder) return false
      holders.add(holder)
      socket.once('close', () => holders.remove(holder))
      return true
    }
  })
  const listener = createServer({ noDelay: true }, (socket) => {
    const key = `${socket.remoteAddress} ${socket.remotePort}`
    socket.on('error', () => socket.destroy())
    const subject = subjectOfAddress(socket.remoteAddress ?? '')
    const isTooMany = loginsOfAddresses.of(subject) >= limits.loginsOfAddress
    if (logins.size >= limits.logins || isTooMany) {
      socket.destroy()
      return
    }
    logins.set(key, socket)
    loginsOfAddresses.add(subject)
    // This includes clients that never identify themselves: the protocol does not report these.
    const late = setTimeout(() => {
      if (logins.get(key) === socket) socket.destroy()
    }, timeouts.login)
    socket.once('close', () => {
      clearTimeout(late)
      if (logins.delete(key)) loginsOfAddresses.remove(subject)
    })
    protocol.injectSocket(socket)
  })
  await listen(listener, address)
  const bound = listener.address()
  const port = typeof bound === 'object' && bound ? bound.port : address.port
  return { port, stop: (isLate) => stop(listener, logins, connections, isLate) }
}

function listen(server: NetServer, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

async function stop(
  listener: NetServer,
  logins: Map<string, Socket>,
  connections: Set<SshConnection>,
  isLate?: AbortSignal,
): Promise<void> {
  const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
  for (const socket of logins.values()) socket.destroy()
  isLate?.addEventListener('abort', () => connections.forEach((connection) => connection.abort()), {
    once: true,
  })
  await Promise.all([...connections].map((connection) => connection.finish()))
  await closed
}
