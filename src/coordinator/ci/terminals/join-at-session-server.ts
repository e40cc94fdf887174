import type { WebSocket } from 'ws'

import type { Logger } from '../../../lib/logger.js'
import type { RunnerMessage } from '../../../protocol/terminal.js'
import type { Database } from '../../database/connect.js'
import type { RunnerSession } from '../jobs/runner-sessions/read-session.js'
import { describeDialFailure } from './dial-failure.js'
import { type DialOptions, dialSession } from './dial-session.js'
import { isInteractive } from './is-interactive.js'
import type { TerminalRelay } from './relay.js'
import { sessionCodec } from './session-codec.js'
import { type JobTerminalRow, markJoined } from './store.js'
import { TICKET_LIFE } from './ticket-life.js'

export interface SessionServerDeps {
  database: Database
  relay: Pick<TerminalRelay, 'join'>
  egress: DialOptions['egress']
  logger: Logger
}

const NORMAL = 1000

/**
 * Opens a shell at the session server of the runner, and joins the terminal in the place of the runner. `person` has
 * joined it. If that fails, the person gets the reason.
 */
export async function joinAtSessionServer(
  { database, relay, egress, logger }: SessionServerDeps,
  terminal: JobTerminalRow,
  session: RunnerSession,
  { person, now }: { person: WebSocket; now: number },
): Promise<void> {
  // The job may have another runner than when the ticket was requested.
  if (!isInteractive(terminal)) {
    refuse(person, ONLY_SHELLS)
    return
  }
  // A runner with the token of the job may have joined, too.
  if (!(await markJoined(database, terminal.key, now - TICKET_LIFE, now))) return
  const left = new AbortController()
  person.once('close', () => left.abort())
  if (person.readyState !== person.OPEN) left.abort()
  const result = await dialSession(session, { egress, signal: left.signal })
  switch (result.kind) {
    case 'open':
      relay.join(terminal.key, 'runner', result.socket, { codec: sessionCodec })
      result.socket.resume()
      return
    case 'failed':
      logger.info({ err: result.error, job: terminal.job_id, failure: result.failure }, NOT_OPENED)
      refuse(person, describeDialFailure(result.failure))
      return
    case 'aborted':
  }
}

const ONLY_SHELLS = 'The runner of this job opens only interactive shells'
const NOT_OPENED = 'No shell could be opened at the session server of a runner'

function refuse(person: WebSocket, message: string): void {
  const error: RunnerMessage = { kind: 'error', message }
  person.send(JSON.stringify(error))
  person.close(NORMAL, 'No shell could be opened')
}
