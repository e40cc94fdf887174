import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { JobUpdate } from '../../protocol/job-update.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import type { TraceBuffer } from '../trace/trace-buffer.js'
import type { TraceSender } from '../trace/trace-sender.js'

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
    const answer = await deps.client.updateJob(job, { state: 'running', output: {} })
    if (answer.status === 403 || answer.status === 404) return 'no'
    if (answer.jobStatus === 'canceled' || answer.jobStatus === 'failed') return 'no'
    sender.applySignals(answer)
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
  update: Pick<JobUpdate, 'state' | 'failure_reason' | 'exit_code'>
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

const MAX_DELAY = 30_000

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
    const answer = await client.updateJob(job, { ...delivery.update, ...outputOf(trace) })
    sender.applySignals(answer)
    switch (answer.status) {
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
          { job: job.id, status: answer.status },
          'The result of the job was not accepted; it will be sent again',
        )
        return 'failed'
    }
  } catch (error) {
    logger.warn({ job: job.id, err: error }, 'The result of the job could not be sent; it will be sent again')
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
