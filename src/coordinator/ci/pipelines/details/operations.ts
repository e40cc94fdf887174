import { type Operation, operation } from '../../../http/operation.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { countPipelines } from './count-pipelines.js'
import { PipelineCounts } from './schema.js'

/** The length of the lists of pipelines. Beyond the reference. */
export function pipelineCountOperations({ engine }: PipelineOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/pipelines/counts', {
      summary: 'Count the pipelines of a project by scope, each up to 1,000',
      access: 'read_pipelines',
      answers: { 200: PipelineCounts },
      cacheable: true,
      run: ({ project }) => countPipelines(engine.database, project.id),
    }),
  ]
}
