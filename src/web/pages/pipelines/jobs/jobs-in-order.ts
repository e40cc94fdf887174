import type { GraphJob } from '../../../../coordinator/ci/pipelines/graph/schema.js'

export const ORDERS = ['', 'name', 'duration', 'waited', 'finished'] as const
export type JobOrder = (typeof ORDERS)[number]

export interface JobFilter {
  /** Part of the name, in any case. */
  text: string
  /** ID of the runner; empty: any. */
  runner: string
  tag: string
}

/** The fields of a job that the order and the filter use. */
type OrderedJob = Pick<GraphJob, 'name' | 'runner' | 'tags' | 'duration' | 'queued_duration' | 'finished_at'>

/** The jobs that match a filter: by name, longest or latest first, or in the order of the pipeline. */
export function jobsInOrder<Job extends OrderedJob>(
  jobs: readonly Job[],
  filter: JobFilter,
  order: JobOrder,
): Job[] {
  const text = filter.text.toLowerCase()
  const found = jobs.filter(
    ({ name, runner, tags }) =>
      name.toLowerCase().includes(text) &&
      (filter.runner === '' || String(runner?.id) === filter.runner) &&
      (filter.tag === '' || tags.includes(filter.tag)),
  )
  if (order === '') return found
  if (order === 'name') return found.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  return found.toSorted((a, b) => valueOf(b, order) - valueOf(a, order))
}

/** Jobs without a value are the last ones. */
function valueOf(job: OrderedJob, order: 'duration' | 'waited' | 'finished'): number {
  if (order === 'duration') return job.duration ?? -1
  if (order === 'waited') return job.queued_duration ?? -1
  return job.finished_at === null ? -1 : Date.parse(job.finished_at)
}
