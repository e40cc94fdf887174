import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { Span } from './period.js'
import { presentNamedJob } from './present.js'
import type { RunnerFailures } from './schema.js'
import { findNamedJobs, findRunners, runnerFailures } from './store.js'

const MAX_RUNNERS = 100

/** Runners whose jobs failed because of them. */
export async function failuresOfRunners(
  { database, externalUrl }: { database: Database; externalUrl: string },
  span: Span,
): Promise<RunnerFailures> {
  const rows = await runnerFailures(database, span, MAX_RUNNERS)
  const runners = await findRunners(
    database,
    rows.map(({ runner_id }) => runner_id),
  )
  const jobs = await findNamedJobs(
    database,
    rows.map(({ job_id }) => job_id),
  )
  return {
    from: isoTime(span.from),
    to: isoTime(span.to),
    count: rows.reduce((sum, row) => sum + row.jobs, 0),
    runners: rows.flatMap(({ runner_id, job_id, jobs: count, finished_at }) => {
      const job = jobs.get(job_id)
      if (!job) return []
      return [
        {
          id: runner_id,
          description: runners.get(runner_id)?.description ?? null,
          count,
          last_at: isoTime(finished_at),
          last_job: presentNamedJob(job, externalUrl),
        },
      ]
    }),
  }
}
