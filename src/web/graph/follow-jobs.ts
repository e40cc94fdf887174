import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'

export interface Followed {
  /** ID of the job to show; undefined while none has run. */
  job: number | undefined
  /** There is nothing more to follow: a job has failed, or all have ended. */
  hasEnded: boolean
}

/**
 * Which job to show to somebody who watches a pipeline: one that runs until it ends, then the one that has run longest, and
 * at last the first that fails. Jobs that may fail stop nothing.
 * @param current ID of the job that is shown
 * @param ignored IDs of jobs that had failed before
 * @param isFinished the pipeline has ended
 */
export function followJobs(
  jobs: readonly GraphJob[],
  current: number | undefined,
  ignored: ReadonlySet<number>,
  isFinished: boolean,
): Followed {
  const own = jobs.filter(({ kind }) => kind === 'job')
  const failure = own
    .filter((job) => hasFailed(job) && !ignored.has(job.id))
    .toSorted(by('finished_at'))
    .at(0)
  if (failure) return { job: failure.id, hasEnded: true }
  const running = own.filter(({ status }) => status === 'running')
  if (running.some(({ id }) => id === current)) return { job: current, hasEnded: false }
  const next = running.toSorted(by('started_at')).at(0)
  if (next || !isFinished) return { job: next?.id ?? current, hasEnded: false }
  const last = own.filter(({ finished_at: end }) => end !== null).toSorted(by('finished_at'))
  return { job: current ?? last.at(-1)?.id, hasEnded: true }
}

/** A job failed that may not fail. */
export function hasFailed({ status, allow_failure: mayFail }: GraphJob): boolean {
  return status === 'failed' && !mayFail
}

/** Times in ISO 8601 of one zone are in the order of their texts. */
function by(time: 'started_at' | 'finished_at') {
  return (a: GraphJob, b: GraphJob) => ((a[time] ?? '') < (b[time] ?? '') ? -1 : 1)
}
