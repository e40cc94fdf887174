import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The id that the client sent, if it is one, else 32 hex characters of our own; it is echoed in every answer. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:-]{1,255}$/.test(sent) ? sent : randomUUID().replaceAll('-', '')
}
