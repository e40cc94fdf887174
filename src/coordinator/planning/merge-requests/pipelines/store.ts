import { DANGLING_SOURCES } from '../../../ci/engine/pipeline-source.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Paging } from '../../../http/page.js'
import { listRows, type Rows } from '../../../http/paging/list-rows.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'

/**
 * Pipelines of a merge request, newest first: its own, and those of the source branch for a commit that was its
 * head. Child pipelines are left out. Only those of `projectIds`.
 */
export function listPipelinesOf(
  database: Database,
  { id, source_project_id, source_branch }: MergeRequestRow,
  projectIds: readonly number[],
  paging: Paging,
): Promise<Rows<PipelineRow>> {
  const matching = database
    .selectFrom('pipeline')
    .where('pipeline.source', 'not in', DANGLING_SOURCES)
    .where('pipeline.project_id', 'in', projectIds)
    .where(({ eb, or, and, selectFrom }) =>
      or([
        eb('pipeline.merge_request_id', '=', id),
        and([
          eb('pipeline.project_id', '=', source_project_id ?? 0),
          eb('pipeline.ref', '=', source_branch),
          eb('pipeline.tag', '=', false),
          eb(
            'pipeline.sha',
            'in',
            selectFrom('merge_request_version').select('head_sha').where('merge_request_id', '=', id),
          ),
        ]),
      ]),
    )
  return listRows(database, matching, paging, { table: 'pipeline', column: 'id', direction: 'desc' })
}
