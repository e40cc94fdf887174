import type { JobPayload } from '../../protocol/job-payload.js'
import { JobLog } from '../trace/job-log.js'
import { TraceBuffer } from '../trace/trace-buffer.js'
import { TraceSender } from '../trace/trace-sender.js'
import { booleanSetting, secretsOf, valuesOf } from '../variables/job-variables.js'
import type { RunJobDeps } from './job-context.js'
import { JobControl, SignalWatch } from './job-control.js'
import { executeJob, type JobExecution } from './job-execution.js'
import { JobShells } from './job-shells.js'
import { JobSteps } from './job-steps.js'
import type { JobJournal } from './journal/job-journal.js'
import {
  type Delivered,
  deliverResult,
  finalUpdate,
  type JobOutcome,
  outcomeOf,
  reportJobStart,
  stepsOf,
  writeLastLine,
} from './outcome.js'

export interface RunnerSignals {
  /** Aborts when the job has to end. The reason names what requested it. */
  shutdown: AbortSignal
  /** Aborts when the process exits. Undelivered results stay in the journal. */
  exit: AbortSignal
}

/** `unwanted`: the coordinator ended the job before it began. `undelivered`: its result stays in the journal. */
export type JobEnd = JobOutcome | { kind: 'unwanted' } | { kind: 'undelivered' }

const DEFAULT_TIMEOUT_SECONDS = 7200

/**
 * Runs one job, from the coordinator's response until the coordinator has the result. A job that an earlier process
 * began is resumed where it was.
 */
export async function runJob(deps: RunJobDeps, journal: JobJournal, signals: RunnerSignals): Promise<JobEnd> {
  const { payload } = journal.job
  const control = new JobControl()
  const trace = await openTrace(deps, journal)
  const sender = openSender(deps, payload, trace, control)
  const { client, logger, timings } = deps
  const { holds } = deps
  const shells = new JobShells(
    (wanted, place) => holds?.openShell(payload, wanted, place),
    () => holds?.opensShells() === true,
  )
  const firstDelay = timings.resultRetry
  const watch = new SignalWatch({ client, job: payload, sender, shells, logger, firstDelay })
  const afterwards: Promise<void>[] = []
  try {
    const job = { trace, sender, watch, shells, control, signals, afterwards }
    const outcome = await runToOutcome(deps, journal, job)
    const end = outcome && (await deliverOutcome(deps, journal, { ...job, outcome }))
    await Promise.all(afterwards)
    if (end === 'undelivered') return { kind: 'undelivered' }
    if (outcome) await journal.markDelivered()
    else await journal.remove()
    return outcome ?? { kind: 'unwanted' }
  } finally {
    await watch.stop()
    await sender.stop()
    await trace.close()
    await Promise.all(afterwards)
  }
}

interface RunningJob extends Pick<JobExecution, 'control' | 'afterwards' | 'shells'> {
  trace: TraceBuffer
  sender: TraceSender
  watch: SignalWatch
  signals: RunnerSignals
}

/** Returns undefined for a job that the coordinator ended before it began. */
async function runToOutcome(
  deps: RunJobDeps,
  journal: JobJournal,
  job: RunningJob,
): Promise<JobOutcome | undefined> {
  const wanted = await reportJobStart(deps, journal.job.payload, job.sender)
  if (wanted === 'no' && !journal.isResumed) return undefined
  if (wanted === 'no') job.control.stop({ kind: 'aborted' })
  job.sender.start()
  if (journal.job.payload.features?.job_signals) job.watch.start()
  const outcome = await perform(deps, journal, job)
  await job.watch.stop()
  await job.trace.end()
  await journal.finish(outcome)
  job.trace.release()
  return outcome
}

async function deliverOutcome(
  deps: RunJobDeps,
  journal: JobJournal,
  {
    trace,
    sender,
    outcome,
    signals,
  }: Pick<RunningJob, 'trace' | 'sender' | 'signals'> & { outcome: JobOutcome },
): Promise<Delivered> {
  await sender.stop()
  // The coordinator was unavailable for longer than an upload waits. The artifacts must arrive before the result.
  if (journal.artifacts.length > 0) return 'undelivered'
  const { payload } = journal.job
  return await deliverResult({
    client: deps.client,
    job: payload,
    trace,
    sender,
    update: { ...finalUpdate(outcome, payload.features?.failure_reasons ?? []), ...stepsOf(journal) },
    tries: deps.registration.finalUpdateTries,
    firstDelay: deps.timings.resultRetry,
    signal: signals.exit,
    logger: deps.logger,
  })
}

async function perform(
  deps: RunJobDeps,
  journal: JobJournal,
  { trace, control, shells, signals, afterwards }: RunningJob,
): Promise<JobOutcome> {
  const { payload } = journal.job
  const timeoutSeconds =
    payload.runner_info.timeout > 0 ? payload.runner_info.timeout : DEFAULT_TIMEOUT_SECONDS
  const log = new JobLog(trace.output, payload.features?.trace_sections ?? false, deps.enterStage)
  const { logger, timings } = deps
  const steps = new JobSteps({ journal, trace, log, logger, liveAfter: timings.liveAfter })
  const unfollow = control.follow(signals.shutdown)
  control.limit(timeoutSeconds, 'timeout', journal.job.receivedAt)
  try {
    // A job that was canceled before it began is not started.
    const outcome =
      control.work.aborted && !journal.environment
        ? outcomeOf(control.work.reason)
        : await executeJob({ deps, journal, steps, trace, log, control, shells, timeoutSeconds, afterwards })
    if (outcome.kind === 'stopped' && outcome.stop.kind === 'canceled') {
      log.warning('script canceled externally (UI, API)')
    }
    writeLastLine(outcome, log)
    return outcome
  } finally {
    shells.end()
    control.close()
    unfollow()
  }
}

async function openTrace(deps: RunJobDeps, journal: JobJournal): Promise<TraceBuffer> {
  const { payload } = journal.job
  const rules = {
    secrets: [...secretsOf(payload, deps.registration.environment), deps.registration.token],
    tokenPrefixes: payload.features?.token_mask_prefixes ?? [],
    limit: deps.registration.outputLimitBytes,
  }
  return journal.isResumed
    ? TraceBuffer.reopen(journal.traceFile, rules, journal.trace)
    : TraceBuffer.create(journal.traceFile, rules)
}

function openSender(
  deps: RunJobDeps,
  payload: JobPayload,
  trace: TraceBuffer,
  control: JobControl,
): TraceSender {
  trace.notifyFailure((error) => {
    deps.logger.error({ job: payload.id, err: error }, 'The log of the job cannot be stored')
    control.stop({ kind: 'broken', problem: 'the runner cannot store the log of the job' })
  })
  return new TraceSender({
    client: deps.client,
    job: payload,
    trace,
    isDebug: isDebug(deps, payload),
    logger: deps.logger,
    heartbeatInterval: deps.timings.heartbeat,
    onCancel: () => control.stop({ kind: 'canceled' }),
    onAbort: () => control.stop({ kind: 'aborted' }),
  })
}

function isDebug(deps: RunJobDeps, payload: JobPayload): boolean {
  if (deps.registration.debugTraceDisabled) return false
  const values = valuesOf(payload.variables)
  const isOn = (name: string) => booleanSetting(values, name, false, () => {})
  return isOn('CI_DEBUG_TRACE') || isOn('CI_DEBUG_SERVICES')
}
