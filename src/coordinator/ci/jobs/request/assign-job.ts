import type { JobPayload } from '../../../../protocol/job-payload.js'
import type { TokenSigner } from '../../../crypto/token-signer.js'
import { isDatabaseBusy, isStoreGone } from '../../../database/store-gone.js'
import { dispatchJob, requeueJob } from '../../engine/dispatch/dispatch-job.js'
import type { DispatchedJob, RequestingRunner } from '../../engine/dispatch/start-claimed.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { finishJob } from '../../engine/finish/finish-job.js'
import type { JobResult } from '../../engine/finish/finish-jobs.js'
import type { ServerIdentity } from '../../predefined-variables/event-facts.js'
import type { Artifacts } from '../../storage/artifacts/artifacts.js'
import { buildPayload } from '../payload/build-payload.js'
import { SecretsProviderMissingError } from '../payload/job-secrets.js'
import { loadPayloadFacts } from '../payload/load-facts.js'
import { readSession } from '../runner-sessions/read-session.js'
import { storeRunnerSession } from '../runner-sessions/store.js'
import { secretsInPayload, storeTraceSecrets } from '../trace/trace-secrets.js'

export interface AssignJobDeps {
  engine: EngineDeps
  artifacts: Artifacts
  server: ServerIdentity
  /** Signs the `id_tokens` of jobs. */
  tokens: Pick<TokenSigner, 'sign'>
}

/** Calls `listener` once if the client disconnects before the response is sent, at once if it already has. */
export type OnGone = (listener: () => void) => void

/**
 * Takes the next job for the runner and computes its payload. If the client disconnects (`onGone`) before the
 * response is sent, the job is requeued immediately instead of after its lease expires. A job whose payload
 * cannot be computed fails, and the next one is taken. If the database is away, the job is requeued and the error is
 * thrown. `session`: what the runner has sent about its session server.
 */
export async function assignJob(
  deps: AssignJobDeps,
  asking: RequestingRunner,
  onGone: OnGone,
  session?: unknown,
): Promise<JobPayload | undefined> {
  const begun = performance.now()
  for (;;) {
    const dispatched = await dispatchJob(deps.engine, asking)
    if (!dispatched) return undefined
    const payload = await payloadOrFailure(deps, asking, dispatched, session)
    if (payload) {
      deps.engine.notifications.emit('jobAssigned', performance.now() - begun)
      requeueOnDisconnect(deps.engine, dispatched, onGone)
      return payload
    }
  }
}

async function payloadOrFailure(
  deps: AssignJobDeps,
  { runner }: RequestingRunner,
  dispatched: DispatchedJob,
  session: unknown,
): Promise<JobPayload | undefined> {
  const { engine, artifacts, server, tokens } = deps
  const { database, secrets, repositories, outside, logger } = engine
  try {
    const facts = await loadPayloadFacts(
      { database, secrets, repositories, outside, artifacts, server, tokens },
      { ...dispatched, runner, leaseSeconds: engine.lease.seconds },
    )
    const payload = buildPayload(facts)
    await storeTraceSecrets({ database, secrets }, payload.id, secretsInPayload(payload))
    if (session !== undefined) await keepSession(engine, dispatched, session)
    return payload
  } catch (error) {
    if (isStoreGone(error) || isDatabaseBusy(error)) {
      requeue(engine, dispatched)
      throw error
    }
    logger.error({ err: error, job: dispatched.job.id }, 'Failed to create the payload of a job')
    await finishJob(engine, dispatched.job, failureFor(error))
    return undefined
  }
}

/** A session that cannot be used does not keep a job from its runner. */
async function keepSession(
  { database, secrets, logger }: EngineDeps,
  dispatched: DispatchedJob,
  sent: unknown,
): Promise<void> {
  const session = readSession(sent)
  if ('problem' in session) {
    const { id: job, runner_id: runner } = dispatched.job
    logger.warn({ job, runner }, `The session server of a runner cannot be used: ${session.problem}`)
  } else await storeRunnerSession({ database, secrets }, dispatched, session)
}

function failureFor(error: unknown): JobResult {
  if (!(error instanceof SecretsProviderMissingError))
    return { status: 'failed', reason: 'scheduler_failure' }
  const missing = { reason: 'secrets_provider' as const, message: error.message }
  return { status: 'failed', reason: 'secrets_provider_not_found', missing }
}

function requeueOnDisconnect(engine: EngineDeps, dispatched: DispatchedJob, onGone: OnGone): void {
  onGone(() => requeue(engine, dispatched))
}

/** Does not throw. If the database is away, the job is requeued when its lease has expired. */
function requeue(engine: EngineDeps, { job, token }: DispatchedJob): void {
  requeueJob(engine, job.id, token).catch((error: unknown) => {
    engine.logger.error({ err: error, job: job.id }, 'Failed to requeue a job that no runner received')
  })
}
