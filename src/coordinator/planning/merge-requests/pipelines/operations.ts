import { Type } from 'typebox'

import type { Project } from '../../../access/caller.js'
import type { EngineDeps } from '../../../ci/engine/engine-deps.js'
import { pipelineRecord } from '../../../ci/pipelines/pipeline-record.js'
import { presentPipelineSummary } from '../../../ci/pipelines/present.js'
import { Pipeline, PipelineSummary } from '../../../ci/pipelines/schema.js'
import { type Operation, operation } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { signedIn } from '../../../http/viewer.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import { ByIid } from '../schema.js'
import { placeIn, projectWithPipelines, type VisibilityDeps } from '../visible-project.js'
import { startPipelineOf } from './create-pipeline.js'
import { listPipelinesOf } from './store.js'

export interface PipelineDeps extends VisibilityDeps {
  engine: EngineDeps
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Pipelines of merge requests (API, F4). */
export function mergeRequestPipelineOperations(deps: PipelineDeps): Operation[] {
  const { database, externalUrl } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/pipelines', {
      summary: 'List the pipelines of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      paginated: true,
      responses: { 200: Type.Array(PipelineSummary) },
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const projects = new Map<number, Project>()
        for (const id of new Set([row.project_id, row.source_project_id ?? row.project_id])) {
          const project = await projectWithPipelines(deps, call, id)
          if (project) projects.set(id, project)
        }
        const listed = await listPipelinesOf(database, row, [...projects.keys()], call.paging)
        return page(
          listed.rows.flatMap((pipeline) => {
            const project = projects.get(pipeline.project_id)
            return project ? [presentPipelineSummary(pipeline, project, externalUrl)] : []
          }),
          listed.total,
        )
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/pipelines', {
      summary: 'Create a pipeline for a merge request',
      // Contributors start it in their fork; `startPipelineOf` decides.
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Pipeline },
      run: async (call) => {
        const caller = { ...call, user: signedIn(call.user) }
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const pipeline = await startPipelineOf(deps, row, caller)
        const { project } = await placeIn(deps, caller, pipeline.project_id)
        return pipelineRecord(deps, project, pipeline)
      },
    }),
  ]
}
