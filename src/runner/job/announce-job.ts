import type { Logger } from '../../lib/logger.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import type { TraceSender } from '../trace/trace-sender.js'

/**
 * Tells the coordinator that the job is about to begin (runner protocol, 3.1). `no`: the coordinator has ended it
 * already and wants to hear nothing more. A coordinator that cannot be reached just now is no reason not to begin.
 */
export async function announceJob(
  deps: { client: Pick<CoordinatorClient, 'updateJob'>; logger: Logger },
  job: JobIdentity,
  sender: Pick<TraceSender, 'heed'>,
): Promise<'yes' | 'no'> {
  try {
    const answer = await deps.client.updateJob(job, { state: 'running', output: {} })
    if (answer.status === 403 || answer.status === 404) return 'no'
    if (answer.jobStatus === 'canceled' || answer.jobStatus === 'failed') return 'no'
    sender.heed(answer)
  } catch (error) {
    deps.logger.warn({ job: job.id, err: error }, 'The coordinator cannot be told that the job begins')
  }
  return 'yes'
}
