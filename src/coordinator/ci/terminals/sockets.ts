import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import type { Logger } from '../../../lib/logger.js'
import { tokenDigest } from '../../../lib/tokens.js'
import { HOLD_TOKEN_HEADER } from '../../../protocol/headers.js'
import { TERMINAL_PROTOCOL } from '../../../protocol/terminal.js'
import type { HoldDeps } from '../holds/holds.js'
import { hasEnded, timeOf } from '../holds/holds.js'
import { findHold } from '../holds/store.js'
import type { Side } from '../signals/terminal-news.js'
import { mayStillEnter } from './may-still-enter.js'
import type { TerminalRelay } from './relay.js'
import { findTerminal, markJoined, markOpened } from './store.js'
import { TICKET_LIFE } from './ticket-life.js'

export interface TerminalSocketDeps extends HoldDeps {
  relay: TerminalRelay
  /** Public address; a browser must come from it. */
  externalUrl: string
  logger: Logger
  /** Milliseconds between two checks of a person's rights. */
  checkEvery?: number
}

const CHECK_EVERY = 30_000
/** RFC 6455, 7.4.1. */
const POLICY_VIOLATION = 1008

const MAX_MESSAGE_BYTES = 256 * 1024
const PATH = /^\/api\/v4\/terminals\/([0-9a-f]{32})$/
const TICKET = 'ticket.'

/**
 * Serves the WebSockets of terminals: of persons with a ticket as a subprotocol, which is in no log, and of runners with
 * the token of their hold. All other upgrades are refused.
 */
export function serveTerminals(server: Server, deps: TerminalSocketDeps): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: () => TERMINAL_PROTOCOL,
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const id = PATH.exec(request.url ?? '')?.[1]
    if (id === undefined) {
      refuse(socket, 404)
      return
    }
    sideOf(deps, id, request).then(
      (side) => {
        if (side === undefined) refuse(socket, 403)
        else
          sockets.handleUpgrade(request, socket, head, (opened) => {
            deps.relay.join(id, side, opened)
            if (side === 'person') closeWhenRefused(deps, id, opened)
          })
      },
      () => refuse(socket, 500),
    )
  })
}

async function sideOf(
  deps: TerminalSocketDeps,
  id: string,
  request: IncomingMessage,
): Promise<Side | undefined> {
  const { database } = deps.engine
  const now = timeOf(deps)
  const since = now - TICKET_LIFE
  const token = request.headers[HOLD_TOKEN_HEADER]
  if (typeof token === 'string') {
    const terminal = await findTerminal(database, id)
    const hold = terminal && (await findHold(database, terminal.job_id))
    if (!hold || hasEnded(hold, now) || hold.token_digest !== tokenDigest(token)) return undefined
    return (await markJoined(database, id, since, now)) ? 'runner' : undefined
  }
  const ticket = ticketIn(request)
  if (ticket === undefined || !isOwnOrigin(deps.externalUrl, request)) return undefined
  const terminal = await findTerminal(database, id)
  if (!terminal || !(await mayStillEnter(deps, terminal))) return undefined
  return (await markOpened(database, id, tokenDigest(ticket), since, now)) ? 'person' : undefined
}

/** Ends the terminal of a person who may not use it any longer. */
function closeWhenRefused(deps: TerminalSocketDeps, id: string, socket: WebSocket): void {
  const check = async () => {
    const terminal = await findTerminal(deps.engine.database, id)
    if (!terminal || !(await mayStillEnter(deps, terminal)))
      socket.close(POLICY_VIOLATION, 'You may not use this terminal any longer')
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'Whether a terminal may go on could not be checked'),
    )
  }, deps.checkEvery ?? CHECK_EVERY)
  socket.on('close', () => clearInterval(timer))
}

function ticketIn({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  return offered.find((name) => name.startsWith(TICKET))?.slice(TICKET.length)
}

/** Other clients than browsers send no origin. */
function isOwnOrigin(externalUrl: string, { headers: { origin } }: IncomingMessage): boolean {
  return origin === undefined || origin === new URL(externalUrl).origin
}

function refuse(socket: Duplex, status: 403 | 404 | 500): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
