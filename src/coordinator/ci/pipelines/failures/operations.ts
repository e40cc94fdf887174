import { Type } from 'typebox'

import { notFound } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { findPipelineOfProject } from '../../engine/pipeline-store.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { PipelineId } from '../schema.js'
import { describeFailures } from './describe-failures.js'
import { PipelineFailure } from './schema.js'

/** What failed in a pipeline. Beyond the reference. Not cacheable, because logs change without a commit. */
export function pipelineFailureOperations(deps: PipelineOperationsDeps): Operation[] {
  const { database, logger } = deps.engine
  const { traceIndexes, traces } = deps
  return [
    operation('GET /projects/:id/pipelines/:pipeline_id/failures', {
      summary: 'List the failed jobs of a pipeline with the part of their logs that says why',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: PipelineId,
      responses: { 200: Type.Array(PipelineFailure) },
      run: async ({ project, accessLevel, params }) => {
        const pipeline = await findPipelineOfProject(database, project.id, params.pipeline_id)
        if (!pipeline) throw notFound()
        const { testReports } = deps.artifacts
        return describeFailures(
          { database, logger, testReports, traceIndexes, traces },
          pipeline,
          accessLevel,
        )
      },
    }),
  ]
}
