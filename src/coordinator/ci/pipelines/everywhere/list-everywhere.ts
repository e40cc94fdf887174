import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { HOUR } from '../../../../lib/time-units.js'
import type { User } from '../../../access/caller.js'
import { type ListScope, readListScope } from '../../../access/list-scope.js'
import { readsPipelines } from '../../../access/planning-visibility.js'
import { isMemberOfProject } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Paging } from '../../../http/page.js'
import { fewIds } from '../../../http/paging/few-ids.js'
import { rowsOfPage } from '../../../http/paging/list-rows.js'
import { MAX_PARTS, newestOfProjects } from '../../../http/paging/newest-of-projects.js'
import { DANGLING_SOURCES } from '../../engine/pipeline-source.js'
import { matchesWord, usersWith, type WordMeaning } from '../word-store.js'
import { type Pipelines, PipelineScan, type Projects } from './pipeline-scan.js'
import type { EverywhereParameters } from './schema.js'
import { isUnderWay } from './under-way.js'

/** Filters of a list of pipelines of many projects. */
export interface EverywhereSelection extends Pick<
  EverywhereParameters,
  'mine' | 'scope' | 'status' | 'membership' | 'ref' | 'source'
> {
  /** Only projects in this group and its subgroups. */
  groupId?: number | undefined
  /** Words that each are a part of the ref, name or user, or name a SHA or an ID. */
  words?: readonly string[]
}

const ORDER = { table: 'pipeline', column: 'id', direction: 'desc' } as const

/** The pipelines that the user may see, newest first. */
export async function listEverywhere(
  database: Database,
  caller: User,
  selection: EverywhereSelection,
  paging: Paging,
  now = Date.now(),
): Promise<PipelineRow[]> {
  const scope = await readListScope(database, { viewer: caller, groupId: selection.groupId })
  const { viewer } = scope
  const inScope = await findFewInScope(database, selection, now)
  const words = await readWords(database, selection.words ?? [])
  const matching = matchingPipelines(database, viewer, selection, { inScope, words, now })
  const projects = visibleProjects(database, scope, selection)
  if (paging.offset > BATCH && selection.groupId === undefined) {
    return rowsOfPage(database, inProjects(matching, projects), paging, ORDER)
  }
  const scan = new PipelineScan(database, matching, projects, paging)
  // It usually does not fill a page of the few projects of a member.
  if (!selection.membership && (await scan.readBatch(FIRST_BATCH))) return scan.page()
  const few = paging.offset + paging.perPage <= MAX_PARTS ? await fewIds(projects) : undefined
  if (few) return pageOfProjects(database, matching, few, paging)
  while (!(await scan.readBatch(BATCH)));
  return scan.page()
}

/** The newest pipelines of all projects usually fill a page. */
const FIRST_BATCH = 1000
const BATCH = 5000

/** The pipelines in the scopes, if they are few; undefined otherwise. Each scope has an index of its own. */
async function findFewInScope(
  database: Database,
  { scope = [] }: EverywhereSelection,
  now: number,
): Promise<number[] | undefined> {
  if (scope.length === 0 || scope.includes('finished')) return undefined
  const found: number[] = []
  for (const one of new Set(scope)) {
    const ids = await fewIds(
      database
        .selectFrom('pipeline')
        .select('pipeline.id')
        .where(isInScopes([one], now)),
    )
    if (!ids) return undefined
    found.push(...ids)
  }
  return [...new Set(found)]
}

interface Words {
  meanings: WordMeaning[]
  /** Only pipelines with higher IDs are searched. */
  behind: number
}

/** No index has words of all projects, so they are looked for in this many pipelines. */
const SEARCHED = 50_000

async function readWords(database: Database, words: readonly string[]): Promise<Words | undefined> {
  if (words.length === 0) return undefined
  const newest = await database
    .selectFrom('pipeline')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const meanings: WordMeaning[] = []
  for (const word of words) meanings.push({ word, userIds: await usersWith(database, word), shas: '[]' })
  return { meanings, behind: (newest?.id ?? 0) - SEARCHED }
}

function visibleProjects(
  database: Database,
  { viewer, groupIds }: ListScope<User>,
  { membership }: EverywhereSelection,
): Projects {
  let query = database.selectFrom('project').select('project.id').where(readsPipelines(viewer))
  if (membership) query = query.where(isMemberOfProject(viewer, 1))
  return groupIds ? query.where('project.namespace_id', 'in', groupIds) : query
}

function inProjects(matching: Pipelines, projects: Projects): Pipelines {
  return matching.where(({ exists }) =>
    exists(projects.where(sql<SqlBool>`project.id = pipeline.project_id`)),
  )
}

function matchingPipelines(
  database: Database,
  viewer: User,
  { mine, scope = [], status = [], ref, source }: EverywhereSelection,
  { inScope, words, now }: { inScope: number[] | undefined; words: Words | undefined; now: number },
): Pipelines {
  let query: Pipelines = database.selectFrom('pipeline')
  if (words) query = query.where('pipeline.id', '>', words.behind)
  for (const meaning of words?.meanings ?? []) query = query.where(() => matchesWord(database, meaning))
  if (mine) query = query.where('pipeline.user_id', '=', viewer.id)
  if (inScope) query = query.where('pipeline.id', 'in', inScope)
  else if (scope.length > 0) query = query.where(isInScopes(scope, now))
  if (status.length > 0) query = query.where('pipeline.status', 'in', status)
  if (ref !== undefined) query = query.where('pipeline.ref', '=', ref)
  return source === undefined
    ? query.where('pipeline.source', 'not in', DANGLING_SOURCES)
    : query.where('pipeline.source', '=', source)
}

type Scopes = NonNullable<EverywhereSelection['scope']>

function isInScopes(scopes: Scopes, now: number): RawBuilder<SqlBool> {
  const conditions = [...new Set(scopes)].map((scope) => {
    switch (scope) {
      case 'running':
        return isUnderWay()
      case 'pending':
        return sql<SqlBool>`(${isUnderWay()} and pipeline.status = 'pending')`
      case 'recent':
        return sql<SqlBool>`pipeline.finished_at >= ${now - HOUR}`
      case 'finished':
        return sql<SqlBool>`pipeline.status in ('success', 'failed', 'canceled', 'skipped')`
    }
  })
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

async function pageOfProjects(
  database: Database,
  matching: Pipelines,
  projectIds: number[],
  paging: Paging,
): Promise<PipelineRow[]> {
  const ids = await newestOfProjects(database, 'pipeline', matching, { projectIds, paging })
  if (ids.length === 0) return []
  return database.selectFrom('pipeline').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}
