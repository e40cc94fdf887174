import { findHeadPipeline } from '../../../ci/engine/merge-requests/head-pipelines.js'
import { type Operation, operation } from '../../../http/operation.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import { ByIid } from '../schema.js'
import { projectWithPipelines, type VisibilityDeps } from '../visible-project.js'
import { ChangedCoverage, type CoverageDeps } from './changed-coverage.js'
import { Coverage } from './schema.js'

/** The coverage of changed lines, for the page of the changes. */
export function coverageOperations(deps: CoverageDeps & VisibilityDeps): Operation[] {
  const { database } = deps
  const changed = new ChangedCoverage(deps)
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/coverage', {
      summary: 'Get the coverage of the changed files of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Coverage },
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const pipeline = await findHeadPipeline(database, row)
        const isVisible = pipeline && (await projectWithPipelines(deps, call, pipeline.project_id))
        return isVisible ? changed.ofPipeline(row, pipeline) : { files: {}, errors: [] }
      },
    }),
  ]
}
