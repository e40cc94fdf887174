import type { GraphJob, PipelineGraph } from '../../coordinator/ci/pipelines/graph/schema.js'
import { waitsFor } from './critical-path.js'

/** Further ones tell nothing more. */
const MOST = 5

/**
 * The jobs because of which a job was skipped: of those that it waits for, the ones that failed, else those that were canceled
 * or skipped.
 */
export function skipCauses({ jobs, stages }: Pick<PipelineGraph, 'jobs' | 'stages'>, id: number): GraphJob[] {
  const skipped = jobs.find((job) => job.id === id)
  if (!skipped) return []
  const names = stages.map(({ name }) => name)
  const before = jobs.filter((job) => waitsFor(skipped, job, names))
  const failed = before.filter((job) => job.status === 'failed' && !job.allow_failure)
  const stopped = before.filter(({ status }) => status === 'canceled' || status === 'skipped')
  return (failed.length > 0 ? failed : stopped).slice(0, MOST)
}
