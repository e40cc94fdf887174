import { Type } from 'typebox'

import { type Operation, operation } from '../../../http/operation.js'
import { resolveStoredRef } from '../../engine/stored-ref.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { PipelineFilters } from '../schema.js'
import { countPipelines } from './count-pipelines.js'
import { PipelineCounts } from './schema.js'

/** The length of the lists of pipelines. Beyond the reference. */
export function pipelineCountOperations({ engine }: PipelineOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/pipelines/counts', {
      summary: 'Count the pipelines of a project by scope, each up to 1,000',
      access: 'read_pipelines',
      params: Type.Omit(PipelineFilters, ['scope', 'order_by', 'sort']),
      responses: { 200: PipelineCounts },
      cacheable: true,
      run: async ({ project, params: { ref, ...filters } }) => {
        const on = ref === undefined ? undefined : await resolveStoredRef(engine, project.id, ref)
        return countPipelines(engine.database, project.id, { ...filters, ...(on && { on }) })
      },
    }),
  ]
}
