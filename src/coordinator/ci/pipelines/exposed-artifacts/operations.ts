import { Type } from 'typebox'

import { notFound } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { findPipelineOfProject } from '../../engine/pipeline-store.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { PipelineId } from '../schema.js'
import { describeExposed } from './describe-exposed.js'
import { ExposedArtifacts } from './schema.js'

/** Links to artifacts, as the pages of pipelines and merge requests show them. Beyond the reference. */
export function exposedArtifactOperations(deps: PipelineOperationsDeps): Operation[] {
  const { artifacts, externalUrl } = deps
  const { database } = deps.engine
  return [
    operation('GET /projects/:id/pipelines/:pipeline_id/exposed_artifacts', {
      summary: 'List the artifacts that jobs of a pipeline expose by `artifacts:expose_as`',
      access: 'read_pipelines',
      params: PipelineId,
      responses: { 200: Type.Array(ExposedArtifacts) },
      run: async ({ project, accessLevel, params }): Promise<ExposedArtifacts[]> => {
        const pipeline = await findPipelineOfProject(database, project.id, params.pipeline_id)
        if (!pipeline) throw notFound()
        return describeExposed({ database, artifacts, externalUrl }, project, pipeline.id, accessLevel)
      },
    }),
  ]
}
