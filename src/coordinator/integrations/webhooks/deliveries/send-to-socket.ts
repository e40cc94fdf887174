import { once } from 'node:events'
import { connect } from 'node:net'

import type { EgressClient } from '../../../egress/egress-client.js'
import type { SocketMessage } from './outgoing-message.js'
import { type Outcome, timed } from './send-delivery.js'

/** Time limit of a whole delivery, in milliseconds. */
const TIMEOUT = 10_000

/**
 * Connects to a server, sends all bytes and closes the connection. The address is checked as that of a request is.
 * Rejects only on internal errors.
 */
export function sendToSocket(
  egress: Pick<EgressClient, 'addressOf'>,
  { host, port, body }: Omit<SocketMessage, 'kind'>,
): Promise<Outcome> {
  return timed(TIMEOUT, async (duration) => {
    const address = await egress.addressOf(new URL(`tcp://${host}`))
    const signal = AbortSignal.timeout(TIMEOUT)
    const socket = connect({ host: address, port, signal })
    try {
      await once(socket, 'connect', { signal })
      // Otherwise a response that nobody reads would keep the connection open.
      socket.resume()
      socket.end(body)
      await once(socket, 'close', { signal })
    } finally {
      socket.destroy()
    }
    return { kind: 'sent', duration: duration() }
  })
}
