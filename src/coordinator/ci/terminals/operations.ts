import { randomBytes } from 'node:crypto'

import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Project, User } from '../../access/caller.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { refuseUnconfirmed } from '../../http/authentication/confirmation.js'
import { apiError, forbidden, notFound } from '../../http/errors.js'
import { type Operation, operation, respond } from '../../http/operation.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { signedIn } from '../../http/viewer.js'
import { findJob } from '../engine/job-store.js'
import { notify, timeOf } from '../holds/holds.js'
import { touchHold } from '../holds/store.js'
import { type Entrance, type EntranceDeps, findEntrance, opensAtSessionServer } from './entrance.js'
import { isInteractive } from './is-interactive.js'
import { LOST_AFTER } from './lost-after.js'
import { type EntranceProblem, OpenTerminal, TerminalEntrance, TerminalJobId, Ticket } from './schema.js'
import { countOpen, insertTerminal } from './store.js'
import { TICKET_LIFE } from './ticket-life.js'

/** Terminals of one person at a time. */
const MAX_OPEN = 10

/** Shells in held and running jobs, for people. */
export function terminalOperations(deps: EntranceDeps): Operation[] {
  return [
    operation('GET /projects/:id/jobs/:job_id/terminal', {
      summary: 'Get whether a shell can be opened in a job',
      access: 'run_pipelines',
      params: TerminalJobId,
      responses: { 200: TerminalEntrance },
      run: async ({ project, params, user, accessLevel }) => {
        const person = { user: signedIn(user), accessLevel }
        const { job, state, problem, hold } = await entranceOf(deps, project, params.job_id, person)
        return {
          job_id: job.id,
          state,
          problem: problem ?? null,
          place: state === 'held' ? (hold?.place ?? null) : null,
          until: state === 'held' && hold ? isoTime(hold.until) : null,
          latest: state === 'held' && hold ? isoTime(hold.latest) : null,
        }
      },
    }),
    operation('POST /projects/:id/jobs/:job_id/terminal', {
      summary: 'Get a ticket for a shell in a held or running job',
      access: 'run_pipelines',
      params: OpenTerminal,
      responses: { 201: Ticket },
      run: async ({ project, params, user, accessLevel, caller }) => {
        const person = signedIn(user)
        const found = await entranceOf(deps, project, params.job_id, { user: person, accessLevel })
        const { job, state, problem } = found
        if (problem !== undefined) throw ERRORS[problem]()
        if (!isInteractive(params) && (await opensAtSessionServer(deps, job)))
          throw apiError('runner_opens_only_shells')
        if (job.protected) refuseUnconfirmed(caller)
        const now = timeOf(deps)
        const { database } = deps.engine
        const times = { since: now - TICKET_LIFE, seenSince: now - LOST_AFTER }
        if ((await countOpen(database, person.id, times)) >= MAX_OPEN)
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
          seen_at: null,
          joined_at: null,
          left_at: null,
          ended_at: null,
        })
        if (state === 'held') await touchHold(database, job.id)
        notify(deps, job.id)
        const url = `/api/v4/terminals/${id}`
        return respond(201, { id, ticket, url, expires_at: isoTime(now + TICKET_LIFE) })
      },
    }),
  ]
}

async function entranceOf(
  deps: EntranceDeps,
  project: Project,
  jobId: number,
  person: { user: User; accessLevel: number },
): Promise<Entrance & { job: JobRow }> {
  const job = await findJob(deps.engine.database, jobId)
  if (!job || job.project_id !== project.id) throw notFound()
  return { job, ...(await findEntrance(deps, project, job, person)) }
}

const ERRORS: Record<EntranceProblem, () => Error> = {
  disabled: () => apiError('terminals_disabled'),
  ended: () => apiError('job_not_held'),
  runner: () => apiError('runner_has_no_terminals'),
  forbidden,
}
