import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'

export interface CriticalStep {
  job: GraphJob
  /**
   * Seconds between the end of the step before, or the creation of the pipeline, and the end of this one in which no
   * attempt of the job ran.
   */
  idle: number
  /** Run time of all attempts, in seconds. */
  ran: number
}

/**
 * The chain of jobs that decided when a pipeline ended: from the job that ended last back to the one whose end each waited
 * for longest. Jobs without `needs` wait for all jobs of earlier stages.
 * @param stages names of the stages, in their order
 * @param start creation of the pipeline, in milliseconds since 1970
 * @param now the present time, in milliseconds since 1970, as the end of jobs that run
 */
export function criticalPath(
  jobs: readonly GraphJob[],
  stages: readonly string[],
  start: number,
  now: number,
): CriticalStep[] {
  const started = jobs.filter(({ started_at }) => started_at !== null)
  const endOf = ({ finished_at: end }: Pick<GraphJob, 'finished_at'>) =>
    end === null ? now : Date.parse(end)
  const last = (candidates: readonly GraphJob[]) =>
    candidates.reduce<GraphJob | undefined>(
      (latest, job) => (latest === undefined || endOf(job) > endOf(latest) ? job : latest),
      undefined,
    )
  const path: GraphJob[] = []
  for (let job = last(started); job;) {
    path.unshift(job)
    const current: GraphJob = job
    job = last(started.filter((other) => waitsFor(current, other, stages) && !path.includes(other)))
  }
  let before = start
  return path.map((job) => {
    let [idle, ran] = [0, 0]
    for (const attempt of [...(job.earlier_attempts ?? []), job]) {
      if (attempt.started_at === null) continue
      const from = Date.parse(attempt.started_at)
      const end = endOf(attempt)
      idle += Math.max(0, from - before)
      ran += Math.max(0, end - from)
      before = Math.max(before, end)
    }
    return { job, idle: idle / 1000, ran: ran / 1000 }
  })
}

/** Whether a job starts only after another one: one that it needs, or one of an earlier stage. */
export function waitsFor(job: GraphJob, other: GraphJob, stages: readonly string[]): boolean {
  if (job.scheduling_type === 'stage') return stages.indexOf(other.stage) < stages.indexOf(job.stage)
  return job.needs.includes(other.name) || (other.group !== null && job.needs.includes(other.group))
}
