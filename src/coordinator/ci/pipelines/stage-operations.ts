import { type Operation, operation } from '../../http/operation.js'
import { actOf } from './act.js'
import type { PipelineOperationsDeps } from './pipeline-operations-deps.js'
import { JobsOutcome, PipelineId, StageOfPipeline } from './schema.js'
import { playManualJobs, rerunStage, stopStage } from './stage-actions.js'

/** Operations on several jobs of a pipeline. Beyond the reference. */
export function stageOperations(deps: PipelineOperationsDeps): Operation[] {
  const { engine } = deps
  return [
    operation('POST /projects/:id/pipelines/:pipeline_id/play', {
      summary: 'Start all manual jobs of a pipeline that wait for a user',
      access: 'run_pipelines',
      params: PipelineId,
      responses: { 200: JobsOutcome },
      run: async (call) => playManualJobs(engine, await actOf(deps, call)),
    }),
    operation('POST /projects/:id/pipelines/:pipeline_id/stages/:name/play', {
      summary: 'Start all manual jobs of a stage that wait for a user',
      access: 'run_pipelines',
      params: StageOfPipeline,
      responses: { 200: JobsOutcome },
      run: async (call) => playManualJobs(engine, await actOf(deps, call), call.params.name),
    }),
    operation('POST /projects/:id/pipelines/:pipeline_id/stages/:name/retry', {
      summary: 'Retry the failed and canceled jobs of a stage',
      access: 'run_pipelines',
      params: StageOfPipeline,
      responses: { 201: JobsOutcome },
      run: async (call) => rerunStage(engine, await actOf(deps, call), call.params.name),
    }),
    operation('POST /projects/:id/pipelines/:pipeline_id/stages/:name/cancel', {
      summary: 'Cancel all unfinished jobs of a stage',
      access: 'run_pipelines',
      params: StageOfPipeline,
      responses: { 200: JobsOutcome },
      run: async (call) => stopStage(engine, await actOf(deps, call), call.params.name),
    }),
  ]
}
