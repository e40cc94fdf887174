import { createServer } from 'node:net'

import { SwitchyardError } from '../lib/errors.js'
import type { ListenAddress } from './config/readers.js'

export class ListenError extends SwitchyardError {
  readonly name = 'ListenError'
  readonly code = 'CANNOT_LISTEN'
}

/** Port 0 becomes a free one: links must carry the port before anything listens. */
export async function fixedAddress({ host, port }: ListenAddress): Promise<ListenAddress> {
  if (port !== 0) return { host, port }
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new ListenError(`No free port on ${host}`)
  return { host, port: address.port }
}

/** The address as a URL; a coordinator that listens everywhere calls itself `localhost`. */
export function urlOf({ host, port }: ListenAddress): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
