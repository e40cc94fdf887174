import type { Logger } from '../../lib/logger.js'
import { tokenDigest } from '../../lib/tokens.js'
import { CoordinatorClient, type JobIdentity } from '../client/coordinator-client.js'
import { DEFAULTS, type RunnerRegistration, type RunnerSettings } from '../config/settings.js'
import type { JobJournal } from '../job/journal/job-journal.js'

/**
 * Assigns each unfinished job to a registration: the one that began it, or else another one of the same
 * coordinator, because tokens are renewed and names change. Jobs whose coordinator is no longer in the settings are
 * under `undefined`.
 */
export function assignOrphanedJobs(
  unfinished: readonly JobJournal[],
  registrations: readonly RunnerRegistration[],
): Map<RunnerRegistration | undefined, JobJournal[]> {
  const shares = new Map<RunnerRegistration | undefined, JobJournal[]>()
  for (const journal of unfinished) {
    const { url, runner, tokenDigest: digest } = journal.job
    const known = registrations.filter((registration) => registration.url === url)
    const registration =
      known.find(({ token }) => tokenDigest(token) === digest) ??
      known.find(({ name }) => name === runner) ??
      known[0]
    shares.set(registration, [...(shares.get(registration) ?? []), journal])
  }
  return shares
}

/**
 * Fails jobs that no registration can resume, so that no one waits for them. A known result is delivered in one
 * attempt.
 */
export async function abortOrphanedJobs(
  journals: readonly JobJournal[],
  { systemId }: Pick<RunnerSettings, 'systemId'>,
  logger: Logger,
): Promise<void> {
  for (const journal of journals) {
    const { url, runner, payload } = journal.job
    const client = new CoordinatorClient({ url, token: '', systemId })
    const problem = `the runner "${runner}" was removed from the settings while the job ran`
    const { signal } = new AbortController()
    const { deliverKept } = await import('../job/deliver-kept.js')
    if (journal.isDelivered) logger.warn({ job: payload.id }, `A held job is not removed: ${problem}`)
    else if (journal.outcome) await deliverKept({ client, timeouts: DEFAULTS, signal, logger }, journal)
    else await refuseJob({ client, logger }, payload, problem)
    await client.close()
    await journal.remove()
  }
}

/**
 * Rejects a job that cannot begin: its log contains the reason, and the job fails. Does not throw. If the
 * coordinator cannot be reached, its own timeouts end the job.
 */
export async function refuseJob(
  deps: { client: Pick<CoordinatorClient, 'appendTrace' | 'updateJob'>; logger: Logger },
  job: JobIdentity,
  problem: string,
): Promise<void> {
  deps.logger.error({ job: job.id }, problem)
  const line = `\x1b[31;1mERROR: Job failed (system failure): ${problem}\x1b[0;m\n`
  try {
    const response = await deps.client.appendTrace(job, 0, Buffer.from(line), false)
    // A job that had begun already has a log.
    if (response.status === 416)
      await deps.client.appendTrace(job, response.nextOffset, Buffer.from(line), false)
    await deps.client.updateJob(job, { state: 'failed', failure_reason: 'runner_system_failure' })
  } catch (error) {
    deps.logger.error(
      { job: job.id, err: error },
      'The coordinator could not be notified that the job is rejected',
    )
  }
}
