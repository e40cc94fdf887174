import type { LinkedPipeline, PipelineGraph } from '../../coordinator/ci/pipelines/graph/schema.js'
import { groupJobs, type JobGroup } from './job-groups.js'

/** What a graph shows of a pipeline that is open inside it; a sentence as long as it cannot be shown. */
export type OpenPipeline =
  | string
  | {
      upstream: LinkedPipeline | null
      /** Stages that have jobs, in their order. */
      stages: { name: string; status: string; groups: JobGroup[] }[]
    }

/** The jobs of a pipeline by stages. */
export function openPipeline({
  upstream,
  stages,
  jobs,
}: Pick<PipelineGraph, 'upstream' | 'stages' | 'jobs'>): OpenPipeline {
  if (jobs.length === 0) return 'This pipeline has no jobs.'
  const groups = groupJobs(jobs)
  return {
    upstream,
    stages: stages.flatMap(({ name, status }) => {
      const own = groups.filter(({ stage }) => stage === name)
      return own.length === 0 ? [] : [{ name, status, groups: own }]
    }),
  }
}
