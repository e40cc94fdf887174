import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'

export interface Followed {
  /** ID of the job to show; undefined while none has run. */
  job: number | undefined
  /** There is nothing more to follow: a job has failed, or all have ended. */
  hasEnded: boolean
}

/**
 * The job to show to a user who follows a pipeline: a running job until it ends, then the job that has run longest, and
 * finally the first job that fails. The failure of a job with `allow_failure` does not end this.
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

/** Whether a job without `allow_failure` has failed. */
export function hasFailed({ status, allow_failure: mayFail }: GraphJob): boolean {
  return status === 'failed' && !mayFail
}

/** Compares texts: times in ISO 8601 of one zone sort as their texts do. */
function by(time: 'started_at' | 'finished_at') {
  return (a: GraphJob, b: GraphJob) => ((a[time] ?? '') < (b[time] ?? '') ? -1 : 1)
}
