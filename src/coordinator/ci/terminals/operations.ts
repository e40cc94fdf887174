import { randomBytes } from 'node:crypto'

import { newToken, tokenDigest } from '../../../lib/tokens.js'
import { refuseUnconfirmed } from '../../http/authentication/confirmation.js'
import { apiError } from '../../http/errors.js'
import { type Operation, operation, respond } from '../../http/operation.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { signedIn } from '../../http/viewer.js'
import { enterHold, hasEnded, type HoldDeps, notify, timeOf } from '../holds/holds.js'
import { touchHold } from '../holds/store.js'
import { OpenTerminal, Ticket } from './schema.js'
import { countOpen, insertTerminal } from './store.js'
import { TICKET_LIFE } from './ticket-life.js'

export interface TerminalOperationDeps extends HoldDeps {
  /** `[terminals] enabled`. */
  areEnabled: boolean
}

/** Terminals of one person at a time. */
const MAX_OPEN = 10

/** Shells in held jobs, for people. */
export function terminalOperations(deps: TerminalOperationDeps): Operation[] {
  return [
    operation('POST /projects/:id/jobs/:job_id/terminal', {
      summary: 'Get a ticket for a shell in a held job',
      access: 'run_pipelines',
      params: OpenTerminal,
      responses: { 201: Ticket },
      run: async ({ project, params, user, accessLevel, caller }) => {
        if (!deps.areEnabled) throw apiError('terminals_disabled')
        const person = signedIn(user)
        const { job, hold } = await enterHold(deps, project, params.job_id, { user: person, accessLevel })
        if (job.protected) refuseUnconfirmed(caller)
        const now = timeOf(deps)
        if (hasEnded(hold, now)) throw apiError('job_not_held')
        if (!hold.has_terminal) throw apiError('runner_has_no_terminals')
        const { database } = deps.engine
        if ((await countOpen(database, person.id, now - TICKET_LIFE)) >= MAX_OPEN)
          throw apiError('too_many_terminals', { max: MAX_OPEN })
        const id = randomBytes(16).toString('hex')
        const ticket = newToken()
        await insertTerminal(database, {
          key: id,
          job_id: job.id,
          user_id: person.id,
          ticket_digest: tokenDigest(ticket),
          command: JSON.stringify(params.command ?? []),
          columns: params.columns ?? 0,
          rows: params.rows ?? 0,
          created_at: now,
          opened_at: null,
          joined_at: null,
          ended_at: null,
        })
        await touchHold(database, job.id)
        notify(deps, job.id)
        const url = `/api/v4/terminals/${id}`
        return respond(201, { id, ticket, url, expires_at: isoTime(now + TICKET_LIFE) })
      },
    }),
  ]
}
