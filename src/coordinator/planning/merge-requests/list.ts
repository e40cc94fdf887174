import type { User } from '../../access/caller.js'
import { readListScope } from '../../access/list-scope.js'
import { isDeployed } from '../../ci/engine/deployments/deployment-merge-request-store.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { MergeRequestTable } from '../../database/tables/merge-requests.js'
import type { Paging } from '../../http/page.js'
import { fewIds } from '../../http/paging/few-ids.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import { orderTerms, pageOf } from '../../http/paging/page-of.js'
import {
  type MergeRequests,
  ofEachTarget,
  readableTargets,
  withReadableTarget,
} from '../access/visible-merge-requests.js'
import { isFilledByIndex, pageAmong } from '../lists/list-pages.js'
import { pageByValues } from '../lists/order-by-values.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { textCandidates } from '../stores/text-index-store.js'
import { conditionsOf, deployedOf, type MergeRequestQuery } from './filter.js'

type Order = Pick<MergeRequestQuery, 'order_by' | 'sort'>

/** Lists the merge requests of a project whose merge requests the caller may read. */
export async function listProjectMergeRequests(
  database: Database,
  { projectId, viewer }: { projectId: number; viewer: User | undefined },
  query: MergeRequestQuery,
  paging: Paging,
): Promise<Rows<MergeRequestRow>> {
  const ofProject = database.selectFrom('merge_request').where('merge_request.project_id', '=', projectId)
  const deployed = await deployedAmong(database, query, projectId)
  const candidates = await candidatesOf(database, query)
  const matching = candidates(deployed(narrowed(ofProject, query, viewer)))
  const found = query.search ? await fewIds(matching.select('merge_request.id')) : undefined
  if (found)
    return pageAmong(found, paging, () => rowsInOrder(database, among(database, found), paging, query))
  const rows = await rowsInOrder(database, matching, paging, query)
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

/** Lists merge requests of all projects whose merge requests the caller may read, or of those below one group. */
export async function listMergeRequests(
  database: Database,
  at: { groupId?: number; viewer: User | undefined },
  query: MergeRequestQuery,
  paging: Paging,
): Promise<Rows<MergeRequestRow>> {
  const { non_archived } = query
  const scope = await readListScope(database, at)
  const { viewer } = scope
  const withEnvironments = deployedOf(query) !== undefined
  const projects = readableTargets(database, { ...scope, non_archived, withEnvironments })
  const deployed = await deployedAmong(database, query)
  const candidates = await candidatesOf(database, query)
  const fromProjects = () => candidates(deployed(narrowed(ofEachTarget(projects), query, viewer)))
  const found = query.search ? await fewIds(fromProjects().select('merge_request.id')) : undefined
  if (found)
    return pageAmong(found, paging, () => rowsInOrder(database, among(database, found), paging, query))
  const total = await countRows(database, fromProjects())
  if (total === 0) return { rows: [], total: paging.keyset ? undefined : 0 }
  const matching = isFilledByIndex(total, query.order_by, paging)
    ? candidates(deployed(narrowed(withReadableTarget(database, projects), query, viewer)))
    : fromProjects()
  const rows = await rowsInOrder(database, matching, paging, query)
  return { rows, total: paging.keyset ? undefined : total }
}

function among(database: Database, ids: readonly number[]): MergeRequests {
  return database.selectFrom('merge_request').where('merge_request.id', 'in', ids)
}

/** Leaves those that may contain the text of a search, if an index finds few. */
async function candidatesOf(
  database: Database,
  query: MergeRequestQuery,
): Promise<(matching: MergeRequests) => MergeRequests> {
  const conditions = await textCandidates(database, 'merge_request', query)
  return (matching) => conditions.reduce((narrower, condition) => narrower.where(condition), matching)
}

/** Leaves those that the deployments have brought for which the list asks, if it does. */
async function deployedAmong(
  database: Database,
  query: MergeRequestQuery,
  projectId?: number,
): Promise<(matching: MergeRequests) => MergeRequests> {
  const wanted = deployedOf(query)
  const condition = wanted && (await isDeployed(database, { ...wanted, projectId }))
  return (matching) => (condition ? matching.where(condition) : matching)
}

function narrowed(
  matching: MergeRequests,
  query: MergeRequestQuery,
  viewer: User | undefined,
): MergeRequests {
  return conditionsOf(query, viewer).reduce((narrower, condition) => narrower.where(condition), matching)
}

async function rowsInOrder(
  database: Database,
  matching: MergeRequests,
  paging: Paging,
  order: Order,
): Promise<MergeRequestRow[]> {
  const ids = matching.select('merge_request.id')
  const listed = byColumn(order)
  const [page, terms] = listed
    ? [pageOf(ids, paging, listed), orderTerms(paging, listed)]
    : pageByValues('merge_request', ids, paging, order)
  return database.selectFrom('merge_request').selectAll().where('id', 'in', page).orderBy(terms).execute()
}

const COLUMNS: Partial<Record<NonNullable<Order['order_by']>, keyof MergeRequestTable>> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  title: 'title',
  popularity: 'upvotes',
}

/** The orders by a column that every merge request has. */
function byColumn({ order_by = 'created_at', sort = 'desc' }: Order) {
  const column = COLUMNS[order_by]
  return column && ({ table: 'merge_request', column, direction: sort } as const)
}
