import type { Logger } from '../../lib/logger.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import type { CoordinatorClient } from '../client.js'
import type { RunnerEntry } from '../config/settings.js'
import type { Executor } from '../executor/executor.js'
import { JobLog } from '../trace/job-log.js'
import { TraceBuffer } from '../trace/trace-buffer.js'
import { TraceSender } from '../trace/trace-sender.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import { announceJob } from './announce-job.js'
import { deliverResult } from './deliver-result.js'
import { valuesOf } from './expand.js'
import type { JobTimings } from './job-context.js'
import { JobControl } from './job-control.js'
import { finalUpdate, type JobOutcome, outcomeOf, writeLastLine } from './outcome.js'
import { type Performance, performJob } from './perform-job.js'
import { booleanSetting } from './settings-of-job.js'
import { secretsOf } from './variables.js'

export interface RunJobDeps {
  entry: RunnerEntry
  systemId: string
  client: CoordinatorClient
  executor: Executor
  workspaces: WorkspaceProvider
  /** Directory of the host for traces on their way and downloads. */
  temporaryDir: string
  logger: Logger
  timings: JobTimings
  /** Hears of each stage of the job; its answer is called when the stage ends. */
  enterStage?: (stage: string) => () => void
}

export interface AssignedJob {
  payload: JobPayload
  /** Smallest free number among the running jobs of the entry, and among those of the project (runner protocol, 6.6). */
  concurrentId: number
  concurrentProjectId: number
}

export interface RunnerSignals {
  /** The job has to end now; the reason is the name of what asks for it. */
  shutdown: AbortSignal
  /** The process ends now: what is not delivered stays undelivered. */
  exit: AbortSignal
}

/** `unwanted`: the coordinator took the job back before it began. */
export type JobEnd = JobOutcome | { kind: 'unwanted' }

const DEFAULT_TIMEOUT_SECONDS = 7200

/** One job, from the coordinator's answer until the coordinator has its result. */
export async function runJob(
  deps: RunJobDeps,
  assigned: AssignedJob,
  signals: RunnerSignals,
): Promise<JobEnd> {
  const { payload } = assigned
  const control = new JobControl()
  const trace = await openTrace(deps, payload)
  const sender = openSender(deps, payload, trace, control)
  const afterwards: Promise<void>[] = []
  try {
    const wanted = await announceJob(deps, payload, sender)
    if (wanted === 'no') return { kind: 'unwanted' }
    sender.start()
    const outcome = await perform(deps, assigned, { trace, control, signals, afterwards })
    await trace.end()
    await sender.stop()
    const update = finalUpdate(outcome, payload.features?.failure_reasons ?? [])
    await deliverResult({
      client: deps.client,
      job: payload,
      trace,
      sender,
      update,
      tries: deps.entry.finalUpdateTries,
      firstDelay: deps.timings.resultRetry,
      signal: signals.exit,
      logger: deps.logger,
    })
    return outcome
  } finally {
    await sender.stop()
    await trace.remove()
    await Promise.all(afterwards)
  }
}

interface RunningJob extends Pick<Performance, 'control' | 'afterwards'> {
  trace: TraceBuffer
  signals: RunnerSignals
}

async function perform(
  deps: RunJobDeps,
  assigned: AssignedJob,
  { trace, control, signals, afterwards }: RunningJob,
): Promise<JobOutcome> {
  const { payload } = assigned
  const timeoutSeconds =
    payload.runner_info.timeout > 0 ? payload.runner_info.timeout : DEFAULT_TIMEOUT_SECONDS
  const log = new JobLog(trace.output, payload.features?.trace_sections ?? false, deps.enterStage)
  const letGo = control.follow(signals.shutdown)
  control.limit(timeoutSeconds, 'timeout')
  try {
    // A job that was canceled before it began does not begin.
    const outcome = control.work.aborted
      ? outcomeOf(control.work.reason)
      : await performJob({ deps, assigned, log, control, timeoutSeconds, afterwards })
    if (outcome.kind === 'stopped' && outcome.stop.kind === 'canceled') {
      log.warning('script canceled externally (UI, API)')
    }
    writeLastLine(outcome, log)
    return outcome
  } finally {
    control.close()
    letGo()
  }
}

async function openTrace(deps: RunJobDeps, payload: JobPayload): Promise<TraceBuffer> {
  return TraceBuffer.open(deps.temporaryDir, payload.id, {
    secrets: [...secretsOf(payload), deps.entry.token],
    tokenPrefixes: payload.features?.token_mask_prefixes ?? [],
    limit: deps.entry.outputLimitBytes,
  })
}

function openSender(
  deps: RunJobDeps,
  payload: JobPayload,
  trace: TraceBuffer,
  control: JobControl,
): TraceSender {
  trace.notifyFailure((error) => {
    deps.logger.error({ job: payload.id, err: error }, 'The trace of the job cannot be kept')
    control.stop({ kind: 'broken', problem: 'the runner cannot keep the log of the job' })
  })
  return new TraceSender({
    client: deps.client,
    job: payload,
    trace,
    isDebug: isDebug(deps, payload),
    logger: deps.logger,
    onCancel: () => control.stop({ kind: 'canceled' }),
    onAbort: () => control.stop({ kind: 'aborted' }),
  })
}

function isDebug(deps: RunJobDeps, payload: JobPayload): boolean {
  if (deps.entry.debugTraceDisabled) return false
  const values = valuesOf(payload.variables)
  const isOn = (name: string) => booleanSetting(values, name, false, () => {})
  return isOn('CI_DEBUG_TRACE') || isOn('CI_DEBUG_SERVICES')
}
