import { groupBy } from '../../../../lib/group-by.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import { roundedMean } from '../../engine/reports/coverage-store.js'
import type { DetailedPipeline, StageSummary } from './schema.js'
import type { JobSums } from './store.js'

interface Rows {
  stages: { id: number; pipeline_id: number; name: string; status: CompositeStatus }[]
  jobs: JobSums[]
  reported: { pipeline_id: number; stage_id: number; status: CompositeStatus; coverage: number | null }[]
}

/** The sums of one pipeline. */
export interface PipelineSums extends Pick<DetailedPipeline, 'stages' | 'tests' | 'log_job_id'> {
  hasWarnings: boolean
  coverage: number | null
}

/** The sums of the jobs and external statuses of pipelines, by the ID of the pipeline. */
export function sumUp({ stages, jobs, reported }: Rows): (pipelineId: number) => PipelineSums {
  const parts = [...jobs, ...reported.map(asJobSums)]
  const byPipeline = groupBy(parts, ({ pipeline_id }) => pipeline_id)
  const byStage = groupBy(parts, ({ stage_id }) => stage_id)
  const stagesOf = groupBy(stages, ({ pipeline_id }) => pipeline_id)
  return (pipelineId) => {
    const all = byPipeline.get(pipelineId) ?? []
    const own = stagesOf.get(pipelineId) ?? []
    return {
      stages: own.map((stage) => summaryOf(stage, byStage.get(stage.id) ?? [])),
      log_job_id: logJobOf(own.map(({ id }) => byStage.get(id) ?? [])),
      hasWarnings: all.some(isWarning),
      coverage: roundedMean(
        total(all, ({ coverage }) => coverage),
        total(all, ({ with_coverage }) => with_coverage),
      ),
      tests: testsOf(all),
    }
  }
}

function asJobSums({ coverage, ...reported }: Rows['reported'][number]): JobSums {
  return {
    ...reported,
    allow_failure: false,
    jobs: 1,
    first_id: null,
    last_id: null,
    coverage,
    with_coverage: coverage === null ? 0 : 1,
    reports: 0,
    success: null,
    failed: null,
    error: null,
    skipped: null,
  }
}

function summaryOf({ name, status }: Rows['stages'][number], parts: JobSums[]): StageSummary {
  const counts: Record<string, number> = {}
  for (const part of parts) counts[part.status] = (counts[part.status] ?? 0) + part.jobs
  return { name, status, has_warnings: parts.some(isWarning), counts }
}

/** CI language, 11.1. */
function isWarning({ allow_failure, status }: JobSums): boolean {
  return allow_failure && (status === 'failed' || status === 'canceled')
}

/** The job whose log shows the state of a pipeline, from its jobs by stage, in the order of the stages. */
function logJobOf(stages: JobSums[][]): number | null {
  const failed = stages
    .flat()
    .find((part) => part.status === 'failed' && !part.allow_failure && part.first_id)
  if (failed) return failed.first_id
  const last = (statuses: CompositeStatus[]) =>
    stages
      .map((parts) => parts.filter(({ status }) => statuses.includes(status)))
      .map((parts) => Math.max(...parts.map(({ last_id }) => last_id ?? 0), 0))
      .findLast((id) => id > 0)
  return last(['running']) ?? last(['success', 'failed', 'canceled']) ?? null
}

function testsOf(parts: JobSums[]): DetailedPipeline['tests'] {
  if (total(parts, ({ reports }) => reports) === 0) return null
  const failed = total(parts, (part) => (part.failed ?? 0) + (part.error ?? 0))
  return { failed, total: failed + total(parts, (part) => (part.success ?? 0) + (part.skipped ?? 0)) }
}

function total(parts: JobSums[], figure: (part: JobSums) => number | null): number {
  return parts.reduce((sum, part) => sum + (figure(part) ?? 0), 0)
}
