import type { Logger } from '../../lib/logger.js'
import type { JobArtifact } from '../../protocol/job-payload.js'
import { sendArtifact, sendStoredArtifact } from '../artifacts/send-artifact.js'
import type { UploadTimeouts } from '../artifacts/upload-attempt.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'
import { TraceBuffer } from '../trace/trace-buffer.js'
import { TraceSender } from '../trace/trace-sender.js'
import type { JobSteps } from './job-steps.js'
import type { JobJournal } from './journal/job-journal.js'
import { type Delivered, deliverResult, finalUpdate, type JobOutcome, stepsOf } from './outcome.js'
import { prepareArtifact, sendDepsOf, type UploadNeeds, type UploadResult } from './stages/artifacts.js'

interface KeptDelivery {
  client: Pick<CoordinatorClient, 'appendTrace' | 'updateJob' | 'uploadArtifact' | 'callForJob'>
  timeouts: UploadTimeouts
  /** Aborts when the process can wait no longer. */
  signal: AbortSignal
  logger: Logger
}

/**
 * Makes one more attempt to deliver the log, artifacts and result that the journal of an ended job holds. The
 * caller removes the journal.
 */
export async function deliverKept(
  { client, timeouts, signal, logger }: KeptDelivery,
  journal: JobJournal,
): Promise<Delivered> {
  const { payload } = journal.job
  if (!journal.outcome) throw new Error(`The job ${payload.id} has not ended`)
  const outcome = await sendKeptArtifacts({ client, timeouts, signal, logger }, journal, journal.outcome)
  if (!outcome) return 'undelivered'
  // The file holds text that is already masked and limited.
  const rules = { secrets: [], tokenPrefixes: [], limit: Infinity }
  const trace = await TraceBuffer.reopen(journal.traceFile, rules)
  const ignore = () => {}
  const sender = new TraceSender({
    client,
    job: payload,
    trace,
    isDebug: false,
    logger,
    onCancel: ignore,
    onAbort: ignore,
  })
  try {
    const update = {
      ...finalUpdate(outcome, payload.features?.failure_reasons ?? []),
      ...stepsOf(journal),
    }
    const delivery = { client, job: payload, trace, sender, update, tries: 1, firstDelay: 0, signal, logger }
    return await deliverResult(delivery)
  } finally {
    await trace.close()
  }
}

/** Uploads an artifact. If the coordinator does not respond, the journal keeps the artifact for a later upload. */
export async function uploadOrKeep(
  job: UploadNeeds & { steps: Pick<JobSteps, 'storeArtifactForLater'> },
  artifact: JobArtifact,
): Promise<UploadResult> {
  const prepared = await prepareArtifact(job, artifact)
  if (prepared.kind !== 'ready') return prepared
  const sent = await sendArtifact(sendDepsOf(job), prepared.plan, prepared.open)
  if (sent.kind !== 'undelivered') return sent
  await job.steps.storeArtifactForLater(prepared.plan, prepared.open, job.control.files)
  job.log.warning('The coordinator does not respond. The runner keeps the artifact and uploads it later.')
  return { kind: 'kept' }
}

interface KeptArtifactsDeps {
  client: Pick<CoordinatorClient, 'uploadArtifact' | 'callForJob'>
  timeouts: UploadTimeouts
  signal: AbortSignal
  logger: Logger
}

/**
 * Uploads each artifact that the journal holds. Returns undefined if one of them could not be delivered now.
 * Otherwise returns the outcome of the job, which is a failure if the coordinator refused an artifact.
 */
async function sendKeptArtifacts(
  { client, timeouts, signal, logger }: KeptArtifactsDeps,
  journal: JobJournal,
  outcome: JobOutcome,
): Promise<JobOutcome | undefined> {
  const { payload } = journal.job
  const log = {
    plain: (text: string) => logger.info({ job: payload.id }, text),
    warning: (text: string) => logger.warn({ job: payload.id }, text),
    error: (text: string) => logger.error({ job: payload.id }, text),
  }
  const limit = payload.features?.max_artifacts_size || undefined
  const timings = { uploadRetry: 0, silenceTimeout: 0 }
  const isResumable = payload.features?.resumable_uploads === true
  const deps = { client, job: payload, log, timings, timeouts, limit, isResumable, signal }
  let result = outcome
  for (const stored of journal.artifacts) {
    const sent = await sendStoredArtifact(deps, stored)
    if (sent.kind === 'undelivered') return undefined
    if (sent.kind === 'failed' && result.kind === 'success') {
      result = { kind: 'failed', message: sent.problem, reason: 'script_failure', exitCode: 1 }
    }
    await journal.deleteArtifact(stored, result)
  }
  return result
}
