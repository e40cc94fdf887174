import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { MergeRequestRow } from '../merge-request-store.js'
import { DANGLING_SOURCES } from '../pipeline-source.js'

/** The head pipeline of one merge request; undefined if there is none. See `findHeadPipelines`. */
export async function findHeadPipeline(
  database: Database,
  { id }: Pick<MergeRequestRow, 'id'>,
): Promise<PipelineRow | undefined> {
  return (await findHeadPipelines(database, [id])).get(id)
}

/**
 * What the head pipeline would be with this commit as the head: the source branch may have moved since the merge
 * request was compared with it.
 */
export async function findPipelineAt(
  database: Database,
  { id, source_project_id, source_branch }: MergeRequestRow,
  sha: string,
): Promise<PipelineRow | undefined> {
  const latest = database
    .selectFrom('pipeline')
    .selectAll()
    .where('sha', '=', sha)
    .where('source', 'not in', DANGLING_SOURCES)
    .orderBy('id', 'desc')
    .limit(1)
  const own = await latest.where('merge_request_id', '=', id).executeTakeFirst()
  if (own || source_project_id === null) return own
  return latest
    .where('project_id', '=', source_project_id)
    .where('ref', '=', source_branch)
    .where('tag', '=', false)
    .executeTakeFirst()
}

/**
 * The head pipelines of merge requests by the ID of the merge request: the latest pipeline of the merge request for
 * its head, or else the latest one of the source branch in the source project. Child pipelines do not count.
 */
export async function findHeadPipelines(
  database: Database,
  mergeRequestIds: readonly number[],
): Promise<Map<number, PipelineRow>> {
  const own = await latestOwn(database, mergeRequestIds)
  const others = mergeRequestIds.filter((id) => !own.has(id))
  const latest = new Map([...own, ...(await latestOfBranches(database, others))])
  if (latest.size === 0) return new Map()
  const pipelines = await database
    .selectFrom('pipeline')
    .selectAll()
    .where('id', 'in', [...latest.values()])
    .execute()
  const byId = new Map(pipelines.map((pipeline) => [pipeline.id, pipeline]))
  return new Map(
    [...latest].flatMap(([id, pipelineId]) => {
      const pipeline = byId.get(pipelineId)
      return pipeline ? [[id, pipeline]] : []
    }),
  )
}

type LatestIds = Map<number, number>

async function latestOwn(database: Database, ids: readonly number[]): Promise<LatestIds> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request')
    .innerJoin('pipeline', (join) =>
      join
        .onRef('pipeline.merge_request_id', '=', 'merge_request.id')
        .onRef('pipeline.sha', '=', 'merge_request.head_sha'),
    )
    .select(['merge_request.id as id', ({ fn }) => fn.max('pipeline.id').as('latest')])
    .where('merge_request.id', 'in', ids)
    .where('pipeline.source', 'not in', DANGLING_SOURCES)
    .groupBy('merge_request.id')
    .execute()
  return new Map(rows.map(({ id, latest }) => [id, latest]))
}

async function latestOfBranches(database: Database, ids: readonly number[]): Promise<LatestIds> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request')
    .innerJoin('pipeline', (join) =>
      join
        .onRef('pipeline.project_id', '=', 'merge_request.source_project_id')
        .onRef('pipeline.ref', '=', 'merge_request.source_branch')
        .onRef('pipeline.sha', '=', 'merge_request.head_sha'),
    )
    .select(['merge_request.id as id', ({ fn }) => fn.max('pipeline.id').as('latest')])
    .where('merge_request.id', 'in', ids)
    .where('pipeline.tag', '=', false)
    .where('pipeline.source', 'not in', DANGLING_SOURCES)
    .groupBy('merge_request.id')
    .execute()
  return new Map(rows.map(({ id, latest }) => [id, latest]))
}
