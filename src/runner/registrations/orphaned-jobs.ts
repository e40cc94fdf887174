import type { Logger } from '../../lib/logger.js'
import { tokenDigest } from '../../lib/tokens.js'
import { CoordinatorClient } from '../client/coordinator-client.js'
import { DEFAULTS, type RunnerEntry, type RunnerSettings } from '../config/settings.js'
import type { JobJournal } from '../job/journal/job-journal.js'
import { refuseJob } from './refuse-job.js'

/**
 * Which entry goes on with which job: the one that began it, else, as tokens are renewed and names changed, one of the
 * same coordinator. Jobs of coordinators that are not in the settings any more are those of `undefined`.
 */
export function shareOut(
  unfinished: readonly JobJournal[],
  entries: readonly RunnerEntry[],
): Map<RunnerEntry | undefined, JobJournal[]> {
  const shares = new Map<RunnerEntry | undefined, JobJournal[]>()
  for (const journal of unfinished) {
    const { url, runner, tokenDigest: digest } = journal.job
    const known = entries.filter((entry) => entry.url === url)
    const entry =
      known.find(({ token }) => tokenDigest(token) === digest) ??
      known.find(({ name }) => name === runner) ??
      known[0]
    shares.set(entry, [...(shares.get(entry) ?? []), journal])
  }
  return shares
}

/** Jobs that no entry can go on with fail, so that nobody waits for them; what is known of one's end is told once. */
export async function giveUp(
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
    if (journal.outcome) await deliverKept({ client, timeouts: DEFAULTS, signal, logger }, journal)
    else await refuseJob({ client, logger }, payload, problem)
    await client.close()
    await journal.remove()
  }
}
