import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { FailureReason } from '../../protocol/failure-reason.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import type { JobUpdate } from '../../protocol/job-update.js'
import type { ScriptStep } from '../../protocol/script-step.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import { failureLevel } from '../client/errors.js'
import { ExecutorError } from '../executor/executor.js'
import { UnsupportedSecretsError } from '../secrets/errors.js'
import type { JobLog } from '../trace/job-log.js'
import type { TraceBuffer } from '../trace/trace-buffer.js'
import type { TraceSender } from '../trace/trace-sender.js'
import { SourcesError } from '../workspace/workspace.js'
import { JobStopError, type Stop } from './job-control.js'

/** How a job ended. `system-failure` means an unexpected error that is not the fault of the job. */
export type JobOutcome =
  | { kind: 'success' }
  | { kind: 'failed'; message: string; reason: FailureReason; exitCode?: number }
  | { kind: 'stopped'; stop: Stop }
  | { kind: 'system-failure'; error: unknown }

export const SUCCESS: JobOutcome = { kind: 'success' }

/** The outcome of a job after a failed command, its own or one that the runner runs for it. */
export function failedScript(exitCode: number): JobOutcome {
  return { kind: 'failed', message: `exit code ${exitCode}`, reason: 'script_failure', exitCode }
}

/** Converts an error that ended a stage into the outcome of the job. */
export function outcomeOf(error: unknown): JobOutcome {
  if (error instanceof JobStopError) return { kind: 'stopped', stop: error.stop }
  if (error instanceof ExecutorError && error.reason !== 'runner_system_failure') {
    return { kind: 'failed', message: error.message, reason: error.reason }
  }
  if (error instanceof UnsupportedSecretsError) {
    return { kind: 'failed', message: error.message, reason: 'runner_unsupported' }
  }
  if (error instanceof SourcesError) {
    return { kind: 'failed', message: error.message, reason: 'script_failure', exitCode: error.exitCode ?? 1 }
  }
  return { kind: 'system-failure', error }
}

/** Converts thrown errors into outcomes, because the outcome of one stage decides whether the next ones run. */
export async function catchOutcome(work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  try {
    return await work()
  } catch (error) {
    return outcomeOf(error)
  }
}

/** Writes the last line of the log (runner protocol, 6.3). */
export function writeLastLine(outcome: JobOutcome, log: JobLog): void {
  switch (outcome.kind) {
    case 'success':
      return log.info('Job succeeded')
    case 'failed':
      return log.error(`Job failed: ${outcome.message}`)
    case 'stopped':
      return log.error(`Job failed: ${new JobStopError(outcome.stop).message}`)
    case 'system-failure':
      return log.error(`Job failed (system failure): ${messageOf(outcome.error)}`)
  }
}

/**
 * The final update for the coordinator. `accepted` lists the failure reasons that the coordinator knows (runner
 * protocol, 3.4).
 */
export function finalUpdate(
  outcome: JobOutcome,
  accepted: readonly string[],
): Pick<JobUpdate, 'state' | 'failure_reason' | 'exit_code'> {
  switch (outcome.kind) {
    case 'success':
      return { state: 'success' }
    case 'failed':
      return {
        state: 'failed',
        failure_reason: acceptedReason(outcome.reason, accepted),
        ...(outcome.exitCode === undefined ? {} : { exit_code: outcome.exitCode }),
      }
    case 'stopped':
      return { state: 'failed', failure_reason: acceptedReason(stopReason(outcome.stop), accepted) }
    case 'system-failure':
      return { state: 'failed', failure_reason: 'runner_system_failure' }
  }
}

/** How the lines of the scripts ended, for a coordinator that stores it. */
export function stepsOf({
  scriptSteps,
  job: { payload },
}: {
  scriptSteps: readonly ScriptStep[]
  job: { payload: Pick<JobPayload, 'features'> }
}): Pick<JobUpdate, 'script_steps'> {
  return scriptSteps.length === 0 || !payload.features?.script_steps ? {} : { script_steps: [...scriptSteps] }
}

/**
 * The failure reason of an outcome, before it is mapped to the reasons that the coordinator knows. Undefined for a
 * successful job.
 */
export function failureReasonOf(outcome: JobOutcome): FailureReason | undefined {
  switch (outcome.kind) {
    case 'success':
      return undefined
    case 'failed':
      return outcome.reason
    case 'stopped':
      return stopReason(outcome.stop)
    case 'system-failure':
      return 'runner_system_failure'
  }
}

function stopReason(stop: Stop): FailureReason {
  switch (stop.kind) {
    case 'aborted':
    case 'canceled':
      return 'unknown_failure'
    case 'timeout':
    case 'script-timeout':
    case 'prepare-timeout':
      return 'job_execution_timeout'
    case 'interrupted':
    case 'broken':
      return 'runner_system_failure'
  }
}

const ALWAYS_ACCEPTED: readonly string[] = [
  'script_failure',
  'runner_system_failure',
  'job_execution_timeout',
]

const FALLBACKS: Partial<Record<FailureReason, FailureReason>> = {
  image_pull_failure: 'runner_system_failure',
  runner_configuration_error: 'script_failure',
  runner_external_dependency_failure: 'runner_system_failure',
}

/**
 * Returns `reason` if the coordinator knows it, else the closest reason of older coordinators (runner protocol,
 * 3.4).
 */
export function acceptedReason(reason: FailureReason, accepted: readonly string[]): FailureReason {
  if (accepted.includes(reason) || ALWAYS_ACCEPTED.includes(reason)) return reason
  return FALLBACKS[reason] ?? 'unknown_failure'
}

/**
 * Notifies the coordinator that the job is about to begin (runner protocol, 3.1). Returns `no` if the coordinator
 * has already ended the job. If the coordinator cannot be reached now, the job begins anyway.
 */
export async function reportJobStart(
  deps: { client: Pick<CoordinatorClient, 'updateJob'>; logger: Logger },
  job: JobIdentity,
  sender: Pick<TraceSender, 'applySignals'>,
): Promise<'yes' | 'no'> {
  try {
    const response = await deps.client.updateJob(job, { state: 'running', output: {} })
    if (response.status === 403 || response.status === 404) return 'no'
    if (response.jobStatus === 'canceled' || response.jobStatus === 'failed') return 'no'
    sender.applySignals(response)
  } catch (error) {
    deps.logger.warn({ job: job.id, err: error }, 'The coordinator could not be notified that the job begins')
  }
  return 'yes'
}

export interface Delivery {
  client: Pick<CoordinatorClient, 'updateJob'>
  job: JobIdentity
  trace: TraceBuffer
  sender: Pick<TraceSender, 'sendRest' | 'rewind' | 'applySignals' | 'updateInterval'>
  update: Pick<JobUpdate, 'state' | 'failure_reason' | 'exit_code' | 'script_steps'>
  /** Number of failed attempts after which delivery is aborted. */
  tries: number
  /** Milliseconds before the second attempt. Doubles on each attempt, up to `MAX_DELAY`. */
  firstDelay: number
  /** Aborts when the process can wait no longer. */
  signal: AbortSignal
  logger: Logger
}

/** `refused`: the coordinator has already ended the job. `undelivered`: it could not be reached in time. */
export type Delivered = 'accepted' | 'refused' | 'undelivered'

/** With its variation at most 30 s. */
const MAX_DELAY = 25_000

/**
 * Delivers the rest of the log and then the result, and retries until the coordinator has both (runner protocol,
 * 3.3). The result is sent only after the log is acknowledged, unless the coordinator accepts no more of the log.
 */
export async function deliverResult(delivery: Delivery): Promise<Delivered> {
  const { signal, logger, job } = delivery
  for (let failures = 0; ;) {
    const step = await deliverOnce(delivery)
    if (step === 'accepted' || step === 'refused') return step
    if (step === 'failed') failures++
    if (failures >= delivery.tries || signal.aborted) {
      logger.error(
        { job: job.id, result: delivery.update.state },
        'The result of the job could not be delivered',
      )
      return 'undelivered'
    }
    const delay = step === 'later' ? delivery.sender.updateInterval : backOff(delivery.firstDelay, failures)
    await pause(delay, signal)
  }
}

async function deliverOnce(delivery: Delivery): Promise<'accepted' | 'refused' | 'later' | 'failed'> {
  const { client, job, trace, sender, logger } = delivery
  if ((await sender.sendRest()) === 'failed') return 'failed'
  try {
    const response = await client.updateJob(job, { ...delivery.update, ...outputOf(trace) })
    sender.applySignals(response)
    switch (response.status) {
      case 200:
        return 'accepted'
      case 202:
        return 'later'
      case 403:
      case 404:
        return 'refused'
      case 412:
        sender.rewind()
        return 'failed'
      default:
        logger.warn(
          { job: job.id, status: response.status },
          'The result of the job was not accepted; it will be sent again',
        )
        return 'failed'
    }
  } catch (error) {
    const text = 'The result of the job could not be sent; it will be sent again'
    logger[failureLevel(error)]({ job: job.id, err: error }, text)
    return 'failed'
  }
}

function outputOf(trace: TraceBuffer): Pick<JobUpdate, 'checksum' | 'output'> {
  if (trace.size === 0) return { output: {} }
  return { checksum: trace.checksum, output: { checksum: trace.checksum, bytesize: trace.size } }
}

function backOff(first: number, failures: number): number {
  return withJitter(Math.min(first * 2 ** (failures - 1), MAX_DELAY))
}
