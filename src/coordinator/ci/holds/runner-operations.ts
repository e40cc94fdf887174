import { linkSignals } from '../../../lib/link-signals.js'
import { newToken, tokenDigest } from '../../../lib/tokens.js'
import { HOLD_TOKEN_HEADER } from '../../../protocol/headers.js'
import type { WantedTerminal } from '../../../protocol/wanted-terminal.js'
import { clientGone } from '../../http/client-gone.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { authenticateJob, jobTokenOf } from '../jobs/authenticate-job.js'
import { finishHold, type HoldDeps, holdOfRunner, holdUntil, notify, timeOf } from './holds.js'
import { BeginHold, BegunHold, ChangeRunnerHold, EndRunnerHold, HoldNews, WaitForHold } from './schema.js'
import { insertHold, type JobHoldRow } from './store.js'

export interface RunnerHoldDeps extends HoldDeps {
  /** Maximum time to hold a request, in seconds. */
  longPollSeconds: number
  /** Aborts when the coordinator stops: held requests are then served. */
  stopping: AbortSignal
  /** Shells that the runner has not opened yet. */
  findTerminals: (jobId: number, now: number) => Promise<WantedTerminal[]>
}

/** Calls of runners about jobs that they hold (runner protocol, 12.7). */
export function runnerHoldOperations(deps: RunnerHoldDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation('POST /jobs/:id/hold', {
      summary: 'Report that a job will be held after its end',
      access: 'anyone',
      params: BeginHold,
      responses: { 201: BegunHold },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers, params.token))
        const token = newToken('glht-')
        const since = timeOf(deps)
        await insertHold(database, {
          job_id: job.id,
          token_digest: tokenDigest(token),
          place: params.place,
          has_terminal: params.has_terminal,
          since,
          until: since + params.seconds * 1000,
          latest: since + Math.max(params.seconds, params.max_seconds) * 1000,
        })
        notify(deps, job.id)
        return respond(201, { token })
      },
    }),
    operation('GET /jobs/:id/hold', {
      summary: 'Wait for a change of the hold of a job',
      access: 'anyone',
      params: WaitForHold,
      responses: { 200: HoldNews, 204: NoBody },
      run: async ({ params, request, reply }) => {
        const token = request.headers[HOLD_TOKEN_HEADER]
        const known = params.revision ?? 1
        const hold = await waitForChange(deps, params.id, token, known, clientGone(reply))
        return hold ? await newsOf(deps, hold) : respond(204, undefined)
      },
    }),
    operation('PUT /jobs/:id/hold', {
      summary: 'Report until when a job is held',
      access: 'anyone',
      params: ChangeRunnerHold,
      responses: { 200: HoldNews },
      run: async ({ params, request }) => {
        const hold = await holdOfRunner(deps, params.id, request.headers[HOLD_TOKEN_HEADER])
        const until = timeOf(deps) + params.seconds * 1000
        return await newsOf(deps, await holdUntil(deps, hold, until))
      },
    }),
    operation('DELETE /jobs/:id/hold', {
      summary: 'Report that a job is no longer held',
      access: 'anyone',
      params: EndRunnerHold,
      responses: { 204: NoBody },
      run: async ({ params, request }) => {
        const hold = await holdOfRunner(deps, params.id, request.headers[HOLD_TOKEN_HEADER])
        await finishHold(deps, hold.job_id, params.reason ?? 'time')
        return respond(204, undefined)
      },
    }),
  ]
}

/** The hold, when its revision differs from the known one. Undefined after the timeout. Throws 403. */
async function waitForChange(
  deps: RunnerHoldDeps,
  jobId: number,
  token: unknown,
  known: number,
  gone: AbortSignal,
): Promise<JobHoldRow | undefined> {
  const deadline = performance.now() + deps.longPollSeconds * 1000
  const ending = linkSignals(gone, deps.stopping)
  const watch = deps.watches.watch(jobId)
  try {
    for (;;) {
      const hold = await holdOfRunner(deps, jobId, token)
      if (hold.revision !== known || hold.ended_at !== null) return hold
      const result = await watch.next(ending.signal, Math.max(0, deadline - performance.now()))
      if (result !== 'changed') return undefined
    }
  } finally {
    watch.close()
    ending.release()
  }
}

async function newsOf(deps: RunnerHoldDeps, { job_id, revision, ended_at, until }: JobHoldRow) {
  const now = timeOf(deps)
  const wanted = ended_at === null ? await deps.findTerminals(job_id, now) : []
  return {
    revision,
    has_ended: ended_at !== null,
    seconds: Math.max(0, until - now) / 1000,
    terminals: wanted.map(({ id, command, columns, rows }) => ({ id, command, columns, rows })),
  }
}
