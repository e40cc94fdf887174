import { createServer } from 'node:net'

import { messageOf, SwitchyardError } from '../../lib/errors.js'
import type { ListenAddress } from './config/readers.js'

export class ListenError extends SwitchyardError {
  readonly name = 'ListenError'
  readonly code = 'CANNOT_LISTEN'
}

/** Replaces port 0 by a free port, because links must contain the port before the server listens. */
export async function fixedAddress({ host, port }: ListenAddress): Promise<ListenAddress> {
  if (port !== 0) return { host, port }
  // A client of an earlier process may connect to the same port before the server is closed: `close` would wait for it.
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen({ host, port }, error)))
    server.listen(0, host, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new ListenError(`No free port on ${host}`)
  return { host, port: address.port }
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there. Stop it, or choose another port with',
  EADDRNOTAVAIL: 'this machine does not have the address. Choose another one with',
  EACCES: 'permission is denied. Choose a port from 1024 on with',
  ENOTFOUND: 'the host name is not known. Choose another address with',
}

/** `setting` is the name under which users choose the address. */
export function cannotListen(address: ListenAddress, cause: unknown, setting = '--listen'): ListenError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const known = REASONS[code]
  const reason = known === undefined ? messageOf(cause) : `${known} ${setting}`
  return new ListenError(`Cannot listen on ${address.host}:${address.port}: ${reason}.`, { cause })
}

/** The address as a URL; an address that listens on all interfaces becomes `localhost`. */
export function urlOf({ host, port }: ListenAddress): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
