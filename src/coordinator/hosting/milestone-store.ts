import { type Expression, type RawBuilder, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import { MAX_COUNTED } from '../database/count-rows.js'
import { lockRow, lockRows } from '../database/lock-row.js'
import {
  groupsAbove,
  groupsAboveProject,
  groupsIn,
  nextMilestoneIidOfGroup,
} from '../database/stores/namespace-store.js'
import { nextMilestoneIidOfProject } from '../database/stores/project-store.js'
import type { MilestoneTable } from '../database/tables/milestones.js'
import { anyContainsText } from '../database/text.js'
import type { Transaction } from '../database/transaction.js'
import type { Paging } from '../http/page.js'
import { countAround, type Rows } from '../http/paging/list-rows.js'
import { isOwnedBy, type OwnerScope, type ProjectOrGroup, scopeConditions } from './owner-scope.js'

export type MilestoneRow = Selectable<MilestoneTable>

/** Owner of a milestone. */
export type MilestoneOwner = ProjectOrGroup

export interface MilestoneFilter {
  iids?: number[] | undefined
  /** All by default. */
  state?: 'active' | 'closed' | 'all' | undefined
  title?: string | undefined
  /** Text that title or description contain, case-insensitive. */
  search?: string | undefined
  /** ISO 8601; inclusive. */
  updated_before?: string | undefined
  updated_after?: string | undefined
}

export type MilestoneScope = OwnerScope

/** Lists milestones by due date, those without one last; of the same date, the newest first. */
export async function listMilestones(
  database: Database,
  scope: MilestoneScope,
  filter: MilestoneFilter,
  paging: Paging,
): Promise<Rows<MilestoneRow>> {
  const parts = (await scopeConditions(database, 'milestone', scope)).map((part) =>
    filtered(milestonesIn(database, part), filter),
  )
  const end = paging.offset + paging.perPage
  const ids = joined(
    database,
    parts.map((part) =>
      inOrder(part)
        .select(['milestone.id', PLACE.as('place')])
        .limit(end),
    ),
  )
    .select('id')
    .orderBy('place')
    .orderBy('id', 'desc')
    .limit(paging.perPage)
    .offset(paging.offset)
  const rows = await inOrder(database.selectFrom('milestone').where('milestone.id', 'in', ids))
    .selectAll('milestone')
    .execute()
  const counted = parts.map((part) => part.select(['milestone.id', PLACE.as('place')]).limit(MAX_COUNTED + 1))
  return { rows, total: await countAround(database, joined(database, counted), paging, rows.length) }
}

/** Position by due date; the expression is that of an index. */
const PLACE = sql<string>`coalesce(milestone.due_date, '9999-12-31')`

type MilestoneQuery = ReturnType<typeof milestonesIn>

function milestonesIn(database: Database, condition: RawBuilder<SqlBool>) {
  return database.selectFrom('milestone').where(() => condition)
}

function inOrder(query: MilestoneQuery): MilestoneQuery {
  return query.orderBy(PLACE).orderBy('milestone.id', 'desc')
}

/** The rows of all queries together. */
function joined(database: Database, queries: Expression<{ id: number; place: string }>[]) {
  const all = queries.map((query) => sql`select * from (${query}) as part`)
  return database.selectFrom(
    sql<{ id: number; place: string }>`(${sql.join(all, sql` union all `)})`.as('parts'),
  )
}

function filtered(query: MilestoneQuery, filter: MilestoneFilter): MilestoneQuery {
  const { iids = [], state = 'all', title, search = '', updated_before, updated_after } = filter
  return query
    .$if(iids.length > 0, (all) => all.where('milestone.iid', 'in', iids))
    .$if(state !== 'all', (all) => all.where('milestone.state', '=', state === 'closed' ? state : 'active'))
    .$if(title !== undefined, (all) => all.where('milestone.title', '=', title ?? ''))
    .$if(search !== '', (all) =>
      all.where(({ ref }) =>
        anyContainsText([ref('milestone.title'), sql`coalesce(milestone.description, '')`], search),
      ),
    )
    .$if(updated_before !== undefined, (all) =>
      all.where('milestone.updated_at', '<=', Date.parse(updated_before ?? '')),
    )
    .$if(updated_after !== undefined, (all) =>
      all.where('milestone.updated_at', '>=', Date.parse(updated_after ?? '')),
    )
}

/** The milestone of this owner; undefined for an unknown one and for one of another owner. */
export function findMilestone(
  database: Database,
  owner: MilestoneOwner,
  id: number,
): Promise<MilestoneRow | undefined> {
  return database
    .selectFrom('milestone')
    .selectAll()
    .where('id', '=', id)
    .where(() => isOwnedBy('milestone', owner))
    .executeTakeFirst()
}

/**
 * The milestones that things in a project can have: those of the project and of the groups above it. `named`
 * selects some of them by title or ID; unknown ones are missing in the result, whose order is by ID.
 */
export async function milestonesForProject(
  database: Database,
  projectId: number,
  named: { titles: readonly string[] } | { ids: readonly number[] },
): Promise<MilestoneRow[]> {
  const [column, values] = 'titles' in named ? ['title', named.titles] : ['id', named.ids]
  if (values.length === 0) return []
  return database
    .selectFrom('milestone')
    .selectAll()
    .where(() => isInHierarchy({ project_id: projectId }))
    .where(() => sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`)
    .orderBy('id')
    .execute()
}

/** Subquery for filters: the IDs of all milestones with this title, whatever their owner. */
export function milestonesTitled(title: string): RawBuilder<number> {
  return sql<number>`(select milestone.id from milestone where milestone.title = ${title})`
}

/**
 * Keeps all titles in the hierarchy of the owner as they are until `tx` ends: a title must be unique among a
 * project or group, the groups above it, and what is in it.
 */
export async function lockTitles(tx: Transaction, owner: MilestoneOwner): Promise<void> {
  if ('group_id' in owner) {
    await lockRows(tx, 'namespace', sql`id in ${groupsAbove(owner.group_id)}`)
    return
  }
  await lockRows(tx, 'namespace', sql`id in ${groupsAboveProject(owner.project_id)}`)
  await lockRow(tx, 'project', owner.project_id)
}

/**
 * Whether a milestone of the owner, of an ancestor group, or of a group or project in it has the title, except for the
 * milestones with these IDs.
 */
export async function isTitleTaken(
  tx: Transaction,
  owner: MilestoneOwner,
  title: string,
  except: readonly number[] = [],
): Promise<boolean> {
  const taken = await tx
    .selectFrom('milestone')
    .select('id')
    .where('title', '=', title)
    .where(() => isInHierarchy(owner))
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

function isInHierarchy(owner: MilestoneOwner): Expression<SqlBool> {
  if ('project_id' in owner) {
    return sql<SqlBool>`(milestone.project_id = ${owner.project_id}
      or milestone.group_id in ${groupsAboveProject(owner.project_id)})`
  }
  return sql<SqlBool>`(milestone.group_id in ${groupsAbove(owner.group_id)}
    or milestone.group_id in ${groupsIn(owner.group_id)}
    or milestone.project_id in
      (select project.id from project where project.namespace_id in ${groupsIn(owner.group_id)}))`
}

export type NewMilestoneRow = Pick<MilestoneRow, 'title' | 'description' | 'start_date' | 'due_date'> &
  Partial<Pick<MilestoneRow, 'state'>>

export async function insertMilestone(
  tx: Transaction,
  owner: MilestoneOwner,
  values: NewMilestoneRow,
): Promise<MilestoneRow> {
  const iid =
    'project_id' in owner
      ? await nextMilestoneIidOfProject(tx, owner.project_id)
      : await nextMilestoneIidOfGroup(tx, owner.group_id)
  const now = Date.now()
  return tx
    .insertInto('milestone')
    .values({ state: 'active', ...values, ...owner, iid, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined if it was deleted. */
export function updateMilestone(
  tx: Transaction,
  id: number,
  changes: Updateable<MilestoneTable>,
): Promise<MilestoneRow | undefined> {
  return tx
    .updateTable('milestone')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Whether it existed. */
export async function deleteMilestoneRow(database: Database, id: number): Promise<boolean> {
  const deleted = await database
    .deleteFrom('milestone')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** The milestones of releases, by release ID and in the order of lists. */
export async function milestonesOfReleases(
  database: Database,
  releaseIds: readonly number[],
): Promise<Map<number, MilestoneRow[]>> {
  const byRelease = new Map<number, MilestoneRow[]>()
  if (releaseIds.length === 0) return byRelease
  const rows = await database
    .selectFrom('milestone')
    .innerJoin('release_milestone', 'release_milestone.milestone_id', 'milestone.id')
    .selectAll('milestone')
    .select('release_milestone.release_id')
    .where('release_milestone.release_id', 'in', releaseIds)
    .orderBy(PLACE)
    .orderBy('milestone.id', 'desc')
    .execute()
  for (const { release_id, ...row } of rows) {
    byRelease.set(release_id, [...(byRelease.get(release_id) ?? []), row])
  }
  return byRelease
}

/** Replaces the milestones of a release; those that were deleted are left out. */
export async function setMilestonesOfRelease(
  tx: Transaction,
  releaseId: number,
  milestoneIds: readonly number[],
): Promise<void> {
  await tx.deleteFrom('release_milestone').where('release_id', '=', releaseId).execute()
  if (milestoneIds.length === 0) return
  await tx
    .insertInto('release_milestone')
    .columns(['release_id', 'milestone_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('milestone')
        .select([val(releaseId).as('release_id'), 'id'])
        .where('id', 'in', milestoneIds),
    )
    .execute()
}

/** Group milestones that releases, issues, merge requests or boards of the project have, of groups that are not above the project. */
export function foreignMilestonesOfProject(tx: Transaction, projectId: number): Promise<MilestoneRow[]> {
  return (
    tx
      .selectFrom('milestone')
      .selectAll()
      // An empty list of groups contains not even null.
      .where('group_id', 'is not', null)
      .where('group_id', 'not in', groupsAboveProject(projectId))
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('release_milestone')
          .innerJoin('release', 'release.id', 'release_milestone.release_id')
          .select('release_milestone.milestone_id')
          .where('release.project_id', '=', projectId)
          .union(
            selectFrom('issue')
              .select(({ ref }) => ref('issue.milestone_id').$notNull().as('milestone_id'))
              .where('issue.project_id', '=', projectId)
              .where('issue.milestone_id', 'is not', null),
          )
          .union(
            selectFrom('merge_request')
              .select(({ ref }) => ref('merge_request.milestone_id').$notNull().as('milestone_id'))
              .where('merge_request.project_id', '=', projectId)
              .where('merge_request.milestone_id', 'is not', null),
          )
          .union(
            selectFrom('board')
              .select(({ ref }) => ref('board.milestone_id').$notNull().as('milestone_id'))
              .where('board.project_id', '=', projectId)
              .where('board.milestone_id', 'is not', null),
          )
          .union(
            selectFrom('board_list')
              .innerJoin('board', 'board.id', 'board_list.board_id')
              .select(({ ref }) => ref('board_list.milestone_id').$notNull().as('milestone_id'))
              .where('board.project_id', '=', projectId)
              .where('board_list.milestone_id', 'is not', null),
          ),
      )
      .orderBy('id')
      .execute()
  )
}

/** The milestones with this title of the projects directly in a group. */
export function milestonesOfGroupProjects(
  tx: Transaction,
  groupId: number,
  title: string,
): Promise<MilestoneRow[]> {
  return tx
    .selectFrom('milestone')
    .innerJoin('project', 'project.id', 'milestone.project_id')
    .selectAll('milestone')
    .where('project.namespace_id', '=', groupId)
    .where('milestone.title', '=', title)
    .orderBy('milestone.id')
    .execute()
}

/** Gives the releases of some milestones another one in their place: all releases, or those of one project. */
export async function moveReleases(
  tx: Transaction,
  from: readonly number[],
  to: number,
  projectId?: number,
): Promise<void> {
  const isMoved = sql<SqlBool>`milestone_id in (${sql.join(from)}) and ${isReleaseOf(projectId)}`
  await tx
    .insertInto('release_milestone')
    .columns(['release_id', 'milestone_id'])
    .expression(({ selectFrom }) =>
      selectFrom('release_milestone')
        .select(['release_id', sql<number>`cast(${to} as bigint)`.as('milestone_id')])
        .distinct()
        .where(() => isMoved)
        .where('release_id', 'not in', ({ selectFrom }) =>
          selectFrom('release_milestone').select('release_id').where('milestone_id', '=', to),
        ),
    )
    .execute()
  await tx
    .deleteFrom('release_milestone')
    .where(() => isMoved)
    .execute()
}

function isReleaseOf(projectId: number | undefined): RawBuilder<SqlBool> {
  if (projectId === undefined) return sql<SqlBool>`true`
  return sql<SqlBool>`release_id in (select release.id from release where release.project_id = ${projectId})`
}
