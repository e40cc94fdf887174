import { isWithinLimit } from '../../../access/project-limit.js'
import { notFound } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { findPipelineOfProject } from '../../engine/pipeline-store.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { describeGraph } from './describe-graph.js'
import { addOutputTimes } from './output-times.js'
import { GraphParameters, PipelineGraph } from './schema.js'

/** A pipeline as pages draw it. Beyond the reference. */
export function pipelineGraphOperations({ engine, traces, maySee }: PipelineOperationsDeps): Operation[] {
  const { database } = engine
  return [
    operation('GET /projects/:id/pipelines/:pipeline_id/graph', {
      summary: 'Get a pipeline with all its jobs and what they need',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: GraphParameters,
      responses: { 200: PipelineGraph },
      cacheable: true,
      run: async ({ project, caller, user, params }) => {
        const pipeline = await findPipelineOfProject(database, project.id, params.pipeline_id)
        if (!pipeline) throw notFound()
        const mayRead = async (other: typeof project): Promise<boolean> =>
          other.id === project.id ||
          (isWithinLimit(caller, other) && (await maySee('read_pipelines', user, other)))
        const graph = await describeGraph({ database, mayRead }, pipeline, {
          withAttempts: params.with_attempts ?? false,
        })
        return params.with_output_times
          ? { ...graph, jobs: await addOutputTimes(traces, project.id, graph.jobs) }
          : graph
      },
    }),
  ]
}
