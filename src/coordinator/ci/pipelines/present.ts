import { mergeRecords } from '../../../lib/merge-records.js'
import type { Project, User } from '../../access/caller.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { detailedStatus } from './detailed-status.js'
import type { Pipeline, PipelineSummary } from './schema.js'

export function presentPipelineSummary(
  pipeline: PipelineRow,
  project: Project,
  externalUrl: string,
): PipelineSummary {
  return mergeRecords(presentPipelineBrief(pipeline, `${externalUrl}/${project.full_path}`), {
    name: pipeline.name,
  })
}

/** The related rows that a record of a pipeline needs. */
export interface PipelineSurroundings {
  user: User | undefined
  coverage: number | null
  /** Whether a job has failed that may. */
  hasWarnings: boolean
  isArchived: boolean
}

export function presentPipeline(
  pipeline: PipelineRow,
  project: Project,
  { user, coverage, hasWarnings, isArchived }: PipelineSurroundings,
  externalUrl: string,
): Pipeline {
  const { started_at, finished_at } = pipeline
  return mergeRecords(presentPipelineSummary(pipeline, project, externalUrl), {
    before_sha: pipeline.before_sha,
    tag: pipeline.tag,
    yaml_errors: pipeline.yaml_errors,
    warnings: pipeline.warnings,
    failure_reason: pipeline.failure_reason,
    protected: pipeline.protected,
    auto_canceled_by_id: pipeline.auto_canceled_by_id,
    user: user ? presentUser(user, externalUrl) : null,
    started_at: isoTimeOrNull(started_at),
    finished_at: isoTimeOrNull(finished_at),
    committed_at: null,
    duration: pipeline.duration,
    queued_duration: queuedDuration(pipeline),
    coverage: presentCoverage(coverage),
    detailed_status: detailedStatus({
      status: pipeline.status,
      hasWarnings,
      path: pagePath(pipeline, project),
    }),
    archived: isArchived,
  })
}

/** Time before the first job started, in whole seconds; null before it. */
export function queuedDuration({
  created_at,
  started_at,
}: Pick<PipelineRow, 'created_at' | 'started_at'>): number | null {
  return started_at === null ? null : Math.max(0, Math.floor((started_at - created_at) / 1000))
}

/** A text with at least one decimal: `30.0` (API, A10). */
export function presentCoverage(coverage: number | null): string | null {
  if (coverage === null) return null
  return Number.isInteger(coverage) ? coverage.toFixed(1) : String(coverage)
}

function pagePath({ id }: PipelineRow, { full_path }: Project): string {
  return `/${full_path}/-/pipelines/${id}`
}
