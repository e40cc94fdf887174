import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { PipelineRefusal, PipelineRequest } from '../create/pipeline-request.js'
import { findAncestry } from '../hierarchy/ancestors.js'
import { insertOrigin } from '../hierarchy/downstream-store.js'
import { findPipeline } from '../pipeline-store.js'
import { checkHierarchyLimits } from './prepare-downstream.js'

/** The facts in a pipeline request about the job that sends it. */
export type StartedByJob = { kind: 'started-by-job' } & Pick<PipelineRequest, 'upstream' | 'afterStored'>

/**
 * A pipeline that a job starts through the API becomes a downstream pipeline of the job's pipeline (CI
 * language, 9.1, `pipeline`). Unlike a trigger job, the job does not wait for it. Refused if the pipeline
 * hierarchy is too large (CI language, 13.2).
 */
export async function startedByJob(database: Database, job: JobRow): Promise<StartedByJob | PipelineRefusal> {
  const pipeline = await findPipeline(database, job.pipeline_id)
  const ancestry = await findAncestry(database, pipeline, 'project')
  const refusal = await checkHierarchyLimits(database, pipeline, job.user_id, ancestry)
  if (refusal) return { kind: 'refused', reason: 'rate', message: refusal.errors }
  return {
    kind: 'started-by-job',
    upstream: { pipelineId: pipeline.id, projectId: job.project_id, jobId: job.id },
    afterStored: (tx, { id, created_at }) =>
      insertOrigin(tx, {
        pipeline_id: id,
        kind: 'project',
        strategy: null,
        upstream_job_id: job.id,
        upstream_pipeline_id: pipeline.id,
        upstream_project_id: job.project_id,
        depth: ancestry.depth,
        root_id: id,
        hierarchy_root_id: ancestry.hierarchyRootId,
        created_at,
      }),
  }
}
