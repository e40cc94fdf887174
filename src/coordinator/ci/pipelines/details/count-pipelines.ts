import { sql } from 'kysely'

import { recordOf } from '../../../../lib/record-of.js'
import type { Database } from '../../../database/connect.js'
import { countUpTo } from '../../../database/count-rows.js'
import { DANGLING_SOURCES } from '../../engine/pipeline-source.js'
import { type PipelineSelection, selectPipelines } from '../store.js'
import { MAX_COUNT, PIPELINE_TABS, type PipelineCounts } from './schema.js'

/** The number of pipelines in each list of a project that match a filter. */
export async function countPipelines(
  database: Database,
  projectId: number,
  filters: Omit<PipelineSelection, 'scope'>,
): Promise<PipelineCounts> {
  const inScope = async (scope?: PipelineSelection['scope']) =>
    countUpTo(database, MAX_COUNT + 1, await selectPipelines(database, projectId, { ...filters, scope }))
  const isFiltered = Object.keys(filters).length > 0
  const refs = (scope: 'branches' | 'tags') =>
    isFiltered ? inScope(scope) : countRefs(database, projectId, scope === 'tags')
  const counts = {
    all: await inScope(),
    running: await inScope('running'),
    pending: await inScope('pending'),
    finished: await inScope('finished'),
    branches: await refs('branches'),
    tags: await refs('tags'),
  }
  return recordOf(PIPELINE_TABS, (tab) => ({
    count: Math.min(counts[tab], MAX_COUNT),
    more: counts[tab] > MAX_COUNT,
  }))
}

/**
 * Number of branches or tags with a pipeline, at most one more than the maximum. Steps from one ref to the next
 * in an index, so that it takes as long as there are refs, however many pipelines each has.
 */
async function countRefs(database: Database, projectId: number, tag: boolean): Promise<number> {
  // Pipelines of merge requests have neither a branch nor a tag.
  const candidates = sql`pipeline.project_id = ${projectId} and pipeline.tag = ${tag}
    and pipeline.merge_request_id is null`
  const { rows } = await sql<{ refs: number }>`
    with recursive candidate(ref) as (
      select min(pipeline.ref) from pipeline where ${candidates}
      union all
      select (select min(pipeline.ref) from pipeline where ${candidates} and pipeline.ref > candidate.ref)
      from candidate where candidate.ref is not null
    )
    select count(*) as refs from (
      select 1 from candidate
      where candidate.ref is not null and exists (
        select 1 from pipeline where ${candidates} and pipeline.ref = candidate.ref
          and pipeline.source not in (${sql.join(DANGLING_SOURCES)})
      )
      limit ${MAX_COUNT + 1}
    ) some_refs`.execute(database)
  return rows[0]?.refs ?? 0
}
