import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { readListScope } from '../../access/list-scope.js'
import { isInvolved, isIssueSeen } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { IssueTable } from '../../database/tables/issues.js'
import type { Paging } from '../../http/page.js'
import { fewIds } from '../../http/paging/few-ids.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import { orderTerms, pageOf } from '../../http/paging/page-of.js'
import {
  fromEachProject,
  type Issues as Matching,
  type Projects,
  readableProjects,
} from '../access/visible-issues.js'
import { isFilledByIndex, pageAmong } from '../lists/list-pages.js'
import { pageByValues } from '../lists/order-by-values.js'
import type { IssueRow } from '../stores/issue-store.js'
import { textCandidates } from '../stores/text-index-store.js'
import { conditionsOf, type IssueQuery, type IssueSelection } from './filter.js'
import type { IssueFilter } from './schema.js'

type Order = Pick<IssueFilter, 'order_by' | 'sort'>

/** Lists the issues of a project whose issues the caller may read. `seesAll`: confidential ones, too. */
export async function listProjectIssues(
  database: Database,
  { projectId, viewer, seesAll }: { projectId: number; viewer: User | undefined; seesAll: boolean },
  { order_by, sort, with_labels_details: _, ...filter }: IssueQuery,
  paging: Paging,
): Promise<Rows<IssueRow>> {
  const matching = await issuesOfProject(database, { projectId, viewer, seesAll }, filter)
  const found = filter.search ? await fewIds(matching.select('issue.id')) : undefined
  if (found)
    return pageAmong(found, paging, () =>
      rowsInOrder(database, among(database, found), paging, { order_by, sort }),
    )
  const rows = await rowsInOrder(database, matching, paging, { order_by, sort })
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

async function issuesOfProject(
  database: Database,
  { projectId, viewer, seesAll }: { projectId: number; viewer: User | undefined; seesAll: boolean },
  filter: IssueSelection,
): Promise<Matching> {
  const isSeen = seesAll ? [] : [sql<SqlBool>`(issue.confidential = false or ${isInvolved(viewer)})`]
  const ofProject = database.selectFrom('issue').where('issue.project_id', '=', projectId)
  return narrowed(ofProject, [...isSeen, ...(await allConditions(database, filter, viewer))])
}

/** With those by which an index finds what may contain the text of a search. */
async function allConditions(
  database: Database,
  filter: IssueSelection,
  viewer: User | undefined,
): Promise<RawBuilder<SqlBool>[]> {
  return [...(await textCandidates(database, 'issue', filter)), ...conditionsOf(filter, viewer)]
}

/** Lists issues of all projects whose issues the caller may read, or of those below one group. */
export async function listIssues(
  database: Database,
  at: { groupId?: number; viewer: User | undefined },
  { order_by, sort, non_archived, with_labels_details: _, ...filter }: IssueQuery,
  paging: Paging,
): Promise<Rows<IssueRow>> {
  const scope = await readListScope(database, at)
  const { viewer } = scope
  const projects = readableProjects(database, { ...scope, non_archived })
  const conditions = await allConditions(database, filter, viewer)
  const fromProjects = () => narrowed(fromEachProject(projects, viewer), conditions)
  const found = filter.search ? await fewIds(fromProjects().select('issue.id')) : undefined
  if (found)
    return pageAmong(found, paging, () =>
      rowsInOrder(database, among(database, found), paging, { order_by, sort }),
    )
  const total = await countRows(database, fromProjects())
  if (total === 0) return { rows: [], total: paging.keyset ? undefined : 0 }
  const matching = isFilledByIndex(total, order_by, paging)
    ? narrowed(metIssues(database, projects, viewer), conditions)
    : fromProjects()
  const rows = await rowsInOrder(database, matching, paging, { order_by, sort })
  return { rows, total: paging.keyset ? undefined : total }
}

function among(database: Database, ids: readonly number[]): Matching {
  return database.selectFrom('issue').where('issue.id', 'in', ids)
}

function narrowed(query: Matching, conditions: RawBuilder<SqlBool>[]): Matching {
  return conditions.reduce((narrower, condition) => narrower.where(condition), query)
}

/** The same rows, by a query that starts from the issues in their order; the limit keeps PostgreSQL to this plan. */
function metIssues(database: Database, projects: Projects, viewer: User | undefined): Matching {
  const its = projects
    .select('project.id')
    .where(() => sql<SqlBool>`project.id = issue.project_id`)
    .where(() => isIssueSeen(viewer))
  return database.selectFrom('issue').where(({ exists }) => exists(its.limit(1).offset(0)))
}

async function rowsInOrder(
  database: Database,
  matching: Matching,
  paging: Paging,
  order: Order,
): Promise<IssueRow[]> {
  const ids = matching.select('issue.id')
  const listed = byColumn(order)
  const [page, terms] = listed
    ? [pageOf(ids, paging, listed), orderTerms(paging, listed)]
    : pageByValues('issue', ids, paging, order)
  return database.selectFrom('issue').selectAll().where('id', 'in', page).orderBy(terms).execute()
}

/** The orders by a column that every issue has. */
function byColumn({ order_by = 'created_at', sort = 'desc' }: Order) {
  const column = COLUMNS[order_by]
  return column && ({ table: 'issue', column, direction: sort } as const)
}

const COLUMNS: Partial<Record<NonNullable<Order['order_by']>, keyof IssueTable>> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  popularity: 'upvotes',
  title: 'title',
}

export interface Counts {
  all: number
  opened: number
  closed: number
}

/** Numbers of issues by state; `state` of the filter is ignored. */
export async function countProjectIssues(
  database: Database,
  scope: { projectId: number; viewer: User | undefined; seesAll: boolean },
  { state: _, ...filter }: IssueSelection,
): Promise<Counts> {
  return countByState(await issuesOfProject(database, scope, filter))
}

/** As `countProjectIssues`, for all projects whose issues the caller may read, or for those below one group. */
export async function countIssues(
  database: Database,
  at: { groupId?: number; viewer: User | undefined },
  { state: _, ...filter }: IssueSelection,
): Promise<Counts> {
  const scope = await readListScope(database, at)
  const projects = readableProjects(database, { ...scope, non_archived: undefined })
  const conditions = await allConditions(database, filter, scope.viewer)
  return countByState(narrowed(fromEachProject(projects, scope.viewer), conditions))
}

async function countByState(matching: Matching): Promise<Counts> {
  // PostgreSQL would sort the issues to group them, if it expects a few.
  const { all, opened } = await matching
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('issue.state', '=', 'opened').as('opened'),
    ])
    .executeTakeFirstOrThrow()
  return { all, opened, closed: all - opened }
}
