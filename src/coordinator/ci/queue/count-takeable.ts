import type { Database } from '../../database/connect.js'
import { mayTake, type RunnerProfile } from './match.js'
import { findQueuedJobs } from './store.js'

/** Number of queued jobs that the runner may take. Other runners may take them too. */
export async function countTakeable(database: Database, profile: RunnerProfile): Promise<number> {
  // The queue cannot tell apart the jobs of a part.
  const parts = await database
    .selectFrom('queue_entry')
    .groupBy(['project_id', 'tag_set_id', 'protected', 'instance_runners_allowed'])
    .select(({ fn }) => [fn.min('job_id').as('job_id'), fn.countAll<number>().as('jobs')])
    .execute()
  const jobs = await findQueuedJobs(
    database,
    parts.map(({ job_id }) => job_id),
  )
  const takeable = new Set(jobs.filter((job) => mayTake(profile, job)).map(({ jobId }) => jobId))
  return parts.reduce((sum, part) => (takeable.has(part.job_id) ? sum + part.jobs : sum), 0)
}
