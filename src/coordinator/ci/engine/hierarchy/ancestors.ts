import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { type DownstreamRow, findOrigin } from './downstream-store.js'

/** The position of a new downstream pipeline in the pipeline hierarchy. */
export interface Ancestry {
  /** Number of parent pipelines in the same project. */
  depth: number
  /** The root of its parent pipelines; undefined = itself. */
  rootId: number | undefined
  hierarchyRootId: number
}

export async function findAncestry(
  database: Database,
  upstream: PipelineRow,
  kind: DownstreamRow['kind'],
): Promise<Ancestry> {
  const origin = await findOrigin(database, upstream.id)
  const hierarchyRootId = origin?.hierarchy_root_id ?? upstream.id
  if (kind === 'project') return { depth: 0, rootId: undefined, hierarchyRootId }
  return { depth: (origin?.depth ?? 0) + 1, rootId: origin?.root_id ?? upstream.id, hierarchyRootId }
}

/** The root of the pipeline's parents; itself without a parent. */
export async function findRootPipeline(database: Database, pipelineId: number): Promise<number> {
  return (await findOrigin(database, pipelineId))?.root_id ?? pipelineId
}

/** Number of pipelines in the hierarchy below this one, including it. */
export async function countHierarchy(database: Database, hierarchyRootId: number): Promise<number> {
  const { count } = await database
    .selectFrom('downstream_pipeline')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('hierarchy_root_id', '=', hierarchyRootId)
    .executeTakeFirstOrThrow()
  return count + 1
}

/** Pipelines that jobs of this project, user and commit have started since a time, in milliseconds since 1970. */
export async function countStartedSince(
  database: Database,
  upstream: { project_id: number; sha: string },
  userId: number,
  since: number,
): Promise<number> {
  const { count } = await database
    .selectFrom('downstream_pipeline as started')
    .innerJoin('pipeline as upstream', 'upstream.id', 'started.upstream_pipeline_id')
    .innerJoin('pipeline', 'pipeline.id', 'started.pipeline_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('started.upstream_project_id', '=', upstream.project_id)
    .where('started.created_at', '>', since)
    .where('upstream.sha', '=', upstream.sha)
    .where('pipeline.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Whether the chain of upstream pipelines, without child pipelines, contains the same project, ref and source
 * more than twice (CI language, 13.2).
 */
export async function isLoop(database: Database, upstream: PipelineRow): Promise<boolean> {
  const chain = await database
    .withRecursive('chain', (query) =>
      query
        .selectFrom('pipeline')
        .select('pipeline.id')
        .where('pipeline.id', '=', upstream.id)
        .unionAll((eb) =>
          eb
            .selectFrom('chain')
            .innerJoin('downstream_pipeline', 'downstream_pipeline.pipeline_id', 'chain.id')
            .select('downstream_pipeline.upstream_pipeline_id as id'),
        ),
    )
    .selectFrom('chain')
    .innerJoin('pipeline', 'pipeline.id', 'chain.id')
    .select(['pipeline.project_id', 'pipeline.ref', 'pipeline.tag', 'pipeline.source'])
    .where('pipeline.source', '!=', 'parent_pipeline')
    .execute()
  const times = new Map<string, number>()
  for (const { project_id, ref, tag, source } of chain) {
    const key = JSON.stringify([project_id, ref, tag, source])
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  return [...times.values()].some((count) => count > 2)
}
