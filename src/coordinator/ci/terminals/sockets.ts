import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import type { Logger } from '../../../lib/logger.js'
import { SECOND } from '../../../lib/time-units.js'
import { tokenDigest } from '../../../lib/tokens.js'
import { HOLD_TOKEN_HEADER, JOB_TOKEN_HEADER } from '../../../protocol/headers.js'
import { TERMINAL_PROTOCOL } from '../../../protocol/terminal.js'
import { inTransaction } from '../../database/transaction.js'
import { isForeignOrigin } from '../../http/authentication/csrf.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { hasEnded, timeOf } from '../holds/holds.js'
import { findHold } from '../holds/store.js'
import { isTokenOfRunning } from '../jobs/authenticate-job.js'
import type { RunnerSession } from '../jobs/runner-sessions/read-session.js'
import { type EntranceDeps, findSessionServer, refusalToStay } from './entrance.js'
import { joinAtSessionServer, type SessionServerDeps } from './join-at-session-server.js'
import { SEEN_EVERY } from './lost-after.js'
import type { TerminalRelay } from './relay.js'
import { findTerminal, type JobTerminalRow, markJoined, markOpened, markSeen } from './store.js'
import { TICKET_LIFE } from './ticket-life.js'
import { recordEntered, recordLeft, type StoreAuditEvent } from './visits.js'

export interface TerminalSocketDeps extends EntranceDeps {
  engine: EntranceDeps['engine'] & Pick<EngineDeps, 'secrets'>
  relay: TerminalRelay
  /** Checks the addresses of session servers. */
  egress: SessionServerDeps['egress']
  /** Public address; a browser must come from it. */
  externalUrl: string
  logger: Logger
  storeAuditEvent: StoreAuditEvent
  /** Longest session in seconds; 0 = no limit. */
  maxSeconds: () => number
  /** Milliseconds between two checks of a person's rights. */
  checkEvery?: number
}

/** RFC 6455, 7.4.1. */
const POLICY_VIOLATION = 1008
const INTERNAL_ERROR = 1011

const MAX_MESSAGE_BYTES = 256 * 1024
const PATH = /^\/api\/v4\/terminals\/([0-9a-f]{32})$/
const TICKET = 'ticket.'

/**
 * Serves the WebSockets of terminals: of persons with a ticket as a subprotocol, which is in no log, and of runners with
 * the token of their hold, or of the job that runs. All other upgrades are refused. For a runner that has a session
 * server, the coordinator connects to that when a person has.
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
      (admitted) => {
        if (!admitted) refuse(socket, 403)
        else
          sockets.handleUpgrade(request, socket, head, (opened) => {
            const { side, terminal } = admitted
            if (side === 'runner') deps.relay.join(id, side, opened)
            else joinPerson(deps, terminal, opened, admitted.session)
          })
      },
      (error: unknown) => {
        deps.logger.error({ err: error }, 'The socket of a terminal could not be opened')
        refuse(socket, 500)
      },
    )
  })
}

function joinPerson(
  deps: TerminalSocketDeps,
  terminal: JobTerminalRow,
  person: WebSocket,
  session: RunnerSession | undefined,
): void {
  const { relay, egress, logger, engine } = deps
  // A command without a terminal ends by itself.
  relay.join(terminal.key, 'person', person, { endsWhenIdle: terminal.columns > 0 })
  watchPerson(deps, terminal.key, person)
  if (!session) return
  const sessionDeps = { database: engine.database, relay, egress, logger }
  joinAtSessionServer(sessionDeps, terminal, session, { person, now: timeOf(deps) }).catch(
    (error: unknown) => {
      logger.error({ err: error }, 'A shell could not be opened at a session server')
      person.close(INTERNAL_ERROR, 'The shell could not be opened')
    },
  )
}

type Admitted = { terminal: JobTerminalRow } & (
  | { side: 'runner' }
  | { side: 'person'; session: RunnerSession | undefined }
)

async function sideOf(
  deps: TerminalSocketDeps,
  id: string,
  request: IncomingMessage,
): Promise<Admitted | undefined> {
  const { database } = deps.engine
  const now = timeOf(deps)
  const since = now - TICKET_LIFE
  const terminal = await findTerminal(database, id)
  if (!terminal) return undefined
  if (isRunner(request)) {
    const mayJoin =
      (await hasRunnerToken(deps, terminal, request)) && (await markJoined(database, id, since, now))
    return mayJoin ? { side: 'runner', terminal } : undefined
  }
  const ticket = ticketIn(request)
  if (ticket === undefined || isForeignOrigin(request.headers, deps.externalUrl)) return undefined
  if ((await refusalToStay(deps, terminal)) !== undefined) return undefined
  const mayOpen = await inTransaction(database, async (tx) => {
    const isOpened = await markOpened(tx, id, tokenDigest(ticket), since, now)
    if (isOpened) await recordEntered(tx, deps.storeAuditEvent, id)
    return isOpened
  })
  if (!mayOpen) return undefined
  return { side: 'person', terminal, session: await findSessionServer(deps, terminal.job_id) }
}

function isRunner({ headers }: IncomingMessage): boolean {
  return HOLD_TOKEN_HEADER in headers || JOB_TOKEN_HEADER in headers
}

/** Whether the runner of the job has connected: it has the token of the hold, or that of the running job. */
async function hasRunnerToken(
  deps: TerminalSocketDeps,
  { job_id }: JobTerminalRow,
  { headers }: IncomingMessage,
): Promise<boolean> {
  const { database } = deps.engine
  const [holdToken, jobToken] = [headers[HOLD_TOKEN_HEADER], headers[JOB_TOKEN_HEADER]]
  if (typeof jobToken === 'string') return await isTokenOfRunning(database, job_id, jobToken)
  if (typeof holdToken !== 'string') return false
  const hold = await findHold(database, job_id)
  return hold !== undefined && !hasEnded(hold, timeOf(deps)) && hold.token_digest === tokenDigest(holdToken)
}

/** Records that the terminal of a person is open, and ends it when the person may not use it any longer. */
function watchPerson(deps: TerminalSocketDeps, id: string, socket: WebSocket): void {
  const { database } = deps.engine
  const check = async () => {
    const terminal = await findTerminal(database, id)
    const refusal = terminal ? await refusalToStay(deps, terminal) : 'The job was deleted'
    if (refusal === undefined) await markSeen(database, id, timeOf(deps))
    else socket.close(POLICY_VIOLATION, refusal)
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'Whether a terminal may go on could not be checked'),
    )
  }, deps.checkEvery ?? SEEN_EVERY)
  const seconds = deps.maxSeconds()
  const limit =
    seconds > 0
      ? setTimeout(
          () => socket.close(POLICY_VIOLATION, `A shell ends after ${seconds} seconds here`),
          seconds * SECOND,
        )
      : undefined
  socket.on('close', () => {
    clearInterval(timer)
    clearTimeout(limit)
    // What is not recorded here is found by the periodic task.
    recordLeft(database, deps.storeAuditEvent, { key: id, at: timeOf(deps) }).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'That a person has left a terminal was not recorded'),
    )
  })
}

function ticketIn({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  return offered.find((name) => name.startsWith(TICKET))?.slice(TICKET.length)
}

function refuse(socket: Duplex, status: 403 | 404 | 500): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
