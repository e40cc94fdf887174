import type { Logger } from '../../lib/logger.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'

/**
 * Gives back a job that cannot even begin: the reason becomes its trace, the job fails. Does not throw: when the
 * coordinator cannot be told, its own limits end the job.
 */
export async function refuseJob(
  deps: { client: Pick<CoordinatorClient, 'appendTrace' | 'updateJob'>; logger: Logger },
  job: JobIdentity,
  problem: string,
): Promise<void> {
  deps.logger.error({ job: job.id }, problem)
  const line = `\x1b[31;1mERROR: Job failed (system failure): ${problem}\x1b[0;m\n`
  try {
    const answer = await deps.client.appendTrace(job, 0, Buffer.from(line), false)
    // A job that had begun has a trace already.
    if (answer.status === 416) await deps.client.appendTrace(job, answer.nextOffset, Buffer.from(line), false)
    await deps.client.updateJob(job, { state: 'failed', failure_reason: 'runner_system_failure' })
  } catch (error) {
    deps.logger.error(
      { job: job.id, err: error },
      'The coordinator could not be told that the job is refused',
    )
  }
}
