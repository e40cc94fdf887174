import { findHeadPipeline } from '../../ci/engine/merge-requests/head-pipelines.js'
import { pipelineRecord } from '../../ci/pipelines/pipeline-record.js'
import type { Pipeline } from '../../ci/pipelines/schema.js'
import { type PipelineBrief, presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { CallerInProject } from '../access/issue-access.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { projectWithPipelines, type VisibilityDeps } from './visible-project.js'

/** Keys of the record of a merge request about its head pipeline; null if there is none, or it is hidden. */
export interface HeadPipelineRecord {
  head_pipeline: Pipeline | null
  pipeline: PipelineBrief | null
  /** When its first job has started, and its last one has ended. */
  latest_build_started_at: string | null
  latest_build_finished_at: string | null
}

const NONE: HeadPipelineRecord = {
  head_pipeline: null,
  pipeline: null,
  latest_build_started_at: null,
  latest_build_finished_at: null,
}

/** `caller`: the caller's relation to the target project (API, F3). */
export async function headPipelineRecord(
  deps: VisibilityDeps & { externalUrl: string },
  row: MergeRequestRow,
  caller: CallerInProject,
): Promise<HeadPipelineRecord> {
  const pipeline = await findHeadPipeline(deps.database, row)
  const project = pipeline && (await projectWithPipelines(deps, caller, pipeline.project_id))
  if (!project) return NONE
  return {
    head_pipeline: await pipelineRecord(deps, project, pipeline),
    pipeline: presentPipelineBrief(pipeline, `${deps.externalUrl}/${project.full_path}`),
    latest_build_started_at: isoTimeOrNull(pipeline.started_at),
    latest_build_finished_at: isoTimeOrNull(pipeline.finished_at),
  }
}
