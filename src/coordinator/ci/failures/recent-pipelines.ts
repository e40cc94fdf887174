import type { Database } from '../../database/connect.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'

/** The IDs of the last pipelines of the same branch, tag or merge request up to this one, as a subquery; the newest first. */
export function recentPipelines(
  database: Database,
  {
    id,
    project_id,
    ref,
    tag,
    merge_request_id,
  }: Pick<PipelineRow, 'id' | 'project_id' | 'ref' | 'tag' | 'merge_request_id'>,
  limit: number,
) {
  const pipelines = database
    .selectFrom('pipeline')
    .select('id')
    .where('id', '<=', id)
    .orderBy('id', 'desc')
    .limit(limit)
  return merge_request_id === null
    ? pipelines
        .where('project_id', '=', project_id)
        .where('tag', '=', tag)
        .where('ref', '=', ref)
        .where('merge_request_id', 'is', null)
    : pipelines.where('merge_request_id', '=', merge_request_id)
}
