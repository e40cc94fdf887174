import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import { LEVELS } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { isMemberOfProject, maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { countRows, MAXIMUM_COUNTED } from '../../database/count-rows.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { IssueRow } from '../../hosting/issue-store.js'
import type { Paging } from '../../http/operation.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import { orderTerms, pageOf } from '../../http/paging/page-of.js'
import { conditionsOf, isAssigned, type IssueQuery, type IssueSelection } from './filter.js'
import type { IssueFilter } from './schema.js'

type Matching = SelectQueryBuilder<Tables, 'issue', object>
type Order = Pick<IssueFilter, 'order_by' | 'sort'>

/** Lists the issues of a project whose issues the caller may read. `seesAll`: confidential ones, too. */
export async function listProjectIssues(
  database: Database,
  { projectId, viewer, seesAll }: { projectId: number; viewer: User | undefined; seesAll: boolean },
  { order_by, sort, with_labels_details: _, ...filter }: IssueQuery,
  paging: Paging,
): Promise<Rows<IssueRow>> {
  const matching = issuesOfProject(database, { projectId, viewer, seesAll }, filter)
  const rows = await rowsInOrder(database, matching, paging, { order_by, sort })
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

function issuesOfProject(
  database: Database,
  { projectId, viewer, seesAll }: { projectId: number; viewer: User | undefined; seesAll: boolean },
  filter: IssueSelection,
): Matching {
  const isSeen = seesAll ? [] : [sql<SqlBool>`(issue.confidential = false or ${isInvolved(viewer)})`]
  return [...isSeen, ...conditionsOf(filter, viewer)].reduce<Matching>(
    (query, condition) => query.where(condition),
    database.selectFrom('issue').where('issue.project_id', '=', projectId),
  )
}

/** Lists issues of all projects whose issues the caller may read, or of those below one group. */
export async function listIssues(
  database: Database,
  { groupId, viewer }: { groupId?: number; viewer: User | undefined },
  { order_by, sort, non_archived, with_labels_details: _, ...filter }: IssueQuery,
  paging: Paging,
): Promise<Rows<IssueRow>> {
  const projects = readableProjects(database, { groupId, viewer, non_archived })
  const conditions = conditionsOf(filter, viewer)
  const fromProjects = () => narrowed(fromEachProject(projects, viewer), conditions)
  const total = await countRows(database, fromProjects())
  // With many issues, a page is filled by the index of the order long before all of them are collected.
  const isMany = total > MAXIMUM_COUNTED
  const isEarly = paging.keyset !== undefined || paging.offset + paging.perPage <= MAXIMUM_COUNTED
  const matching =
    isMany && isEarly ? narrowed(metIssues(database, projects, viewer), conditions) : fromProjects()
  const rows = await rowsInOrder(database, matching, paging, { order_by, sort })
  return { rows, total: paging.keyset ? undefined : total }
}

function narrowed(query: Matching, conditions: RawBuilder<SqlBool>[]): Matching {
  return conditions.reduce((narrower, condition) => narrower.where(condition), query)
}

type Projects = ReturnType<typeof readableProjects>

function readableProjects(database: Database, { groupId, viewer, non_archived = true }: ProjectScope) {
  const isMember = viewer ? isMemberOfProject(viewer.id, LEVELS.guest) : sql<SqlBool>`false`
  const isKept = viewer?.is_admin ? sql<SqlBool>`true` : isMember
  return database
    .selectFrom('project')
    .where(() => maySeeProject(viewer))
    .where(
      () => sql<SqlBool>`(project.issues_access_level = 'enabled'
        or (project.issues_access_level = 'private' and ${isKept}))`,
    )
    .$if(non_archived, (query) => query.where('project.archived', '=', false))
    .$if(groupId !== undefined, (query) =>
      query.where('project.namespace_id', 'in', ({ selectFrom }) =>
        selectFrom('group_tree')
          .select('group_tree.group_id')
          .where('ancestor_id', '=', groupId ?? 0),
      ),
    )
}

interface ProjectScope {
  groupId: number | undefined
  viewer: User | undefined
  non_archived: boolean | undefined
}

/** Query that starts from the projects. */
function fromEachProject(projects: Projects, viewer: User | undefined): Matching {
  return projects.innerJoin('issue', 'issue.project_id', 'project.id').where(() => isSeen(viewer))
}

/** The same rows, by a query that starts from the issues in their order; the limit keeps PostgreSQL to this plan. */
function metIssues(database: Database, projects: Projects, viewer: User | undefined): Matching {
  const its = projects
    .select('project.id')
    .where(() => sql<SqlBool>`project.id = issue.project_id`)
    .where(() => isSeen(viewer))
  return database.selectFrom('issue').where(({ exists }) => exists(its.limit(1).offset(0)))
}

/** Whether an issue of a project that is part of the query is not hidden from the caller by being confidential. */
function isSeen(viewer: User | undefined): RawBuilder<SqlBool> {
  if (viewer?.is_admin) return sql<SqlBool>`true`
  const isReporter = viewer ? isMemberOfProject(viewer.id, LEVELS.reporter) : sql<SqlBool>`false`
  return sql<SqlBool>`(issue.confidential = false or ${isInvolved(viewer)} or ${isReporter})`
}

/** Whether the caller is author or assignee. */
function isInvolved(viewer: User | undefined): RawBuilder<SqlBool> {
  if (!viewer) return sql<SqlBool>`false`
  return sql<SqlBool>`(issue.author_id = ${viewer.id} or ${isAssigned(viewer.id)})`
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
    : byExpression(ids, paging, order)
  return database.selectFrom('issue').selectAll().where('id', 'in', page).orderBy(terms).execute()
}

/** The orders by a column that every issue has, which a keyset can continue. */
function byColumn({ order_by = 'created_at', sort = 'desc' }: Order) {
  if (order_by !== 'created_at' && order_by !== 'updated_at') return undefined
  return { table: 'issue', column: order_by, direction: sort } as const
}

/** What replaces a missing value, so that the issue comes last. The expressions are those of indexes. */
const MISSING = {
  due_date: { asc: "'9999-12-31'", desc: "'0000-01-01'" },
  milestone_due: { asc: "'9999-12-31'", desc: "'0000-01-01'" },
  weight: { asc: '9999999999', desc: '-1' },
  relative_position: { asc: '9007199254740991', desc: '-9007199254740991' },
} as const

function byExpression(
  ids: SelectQueryBuilder<Tables, 'issue', { id: number }>,
  { perPage, offset }: Paging,
  { order_by, sort }: Order,
) {
  const key = order_by as keyof typeof MISSING
  // A manual order has one direction.
  const direction = key === 'relative_position' ? 'asc' : (sort ?? 'desc')
  const value =
    key === 'milestone_due'
      ? sql`(select milestone.due_date from milestone where milestone.id = issue.milestone_id)`
      : sql.ref(`issue.${key}`)
  const way = sql.raw(direction)
  const terms = sql`coalesce(${value}, ${sql.raw(MISSING[key][direction])}) ${way}, issue.id ${way}`
  return [ids.orderBy(terms).limit(perPage).offset(offset), terms] as const
}

export interface Counts {
  all: number
  opened: number
  closed: number
}

/** Numbers of issues by state; `state` of the filter is ignored. */
export function countProjectIssues(
  database: Database,
  scope: { projectId: number; viewer: User | undefined; seesAll: boolean },
  { state: _, ...filter }: IssueSelection,
): Promise<Counts> {
  return countByState(issuesOfProject(database, scope, filter))
}

/** The same for all projects whose issues the caller may read, or for those below one group. */
export function countIssues(
  database: Database,
  { groupId, viewer }: { groupId?: number; viewer: User | undefined },
  { state: _, ...filter }: IssueSelection,
): Promise<Counts> {
  const projects = readableProjects(database, { groupId, viewer, non_archived: undefined })
  return countByState(narrowed(fromEachProject(projects, viewer), conditionsOf(filter, viewer)))
}

async function countByState(matching: Matching): Promise<Counts> {
  const rows = await matching
    .select(['issue.state', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy('issue.state')
    .execute()
  const byState = new Map(rows.map(({ state, total }) => [state, total]))
  const [opened, closed] = [byState.get('opened') ?? 0, byState.get('closed') ?? 0]
  return { all: opened + closed, opened, closed }
}

/** Those of the issues with these IDs that the caller may see, in the order of their IDs. */
export async function visibleIssues(
  database: Database,
  viewer: User | undefined,
  ids: readonly number[],
): Promise<IssueRow[]> {
  if (ids.length === 0) return []
  const projects = readableProjects(database, { groupId: undefined, viewer, non_archived: false })
  return fromEachProject(projects, viewer)
    .selectAll('issue')
    .where('issue.id', 'in', ids)
    .orderBy('issue.id')
    .execute()
}
