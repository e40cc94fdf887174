import { type Expression, type Insertable, type RawBuilder, sql, type SqlBool } from 'kysely'

import { OWNER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { isMemberOfGroup, isNotBeingDeleted, maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { lockRows } from '../../database/lock-row.js'
import { insertMembers } from '../../database/stores/member-store.js'
import {
  deleteNamespace,
  groupsIn,
  insertNamespace,
  type NamespaceRow,
  replacePathPrefixOfSubgroups,
} from '../../database/stores/namespace-store.js'
import {
  disableInstanceRunnersOfProjects,
  replacePathPrefixOfProjects,
} from '../../database/stores/project-store.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import { anyContainsText, sameText } from '../../database/text.js'
import { storeOf, type Transaction } from '../../database/transaction.js'
import { lockPlace } from '../../hosting/paths/lock-path.js'
import {
  addRedirectsOfNamespaces,
  deleteRedirect,
  deleteRedirectsInside,
} from '../../hosting/paths/redirects.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { emitGroupEvents } from '../../integrations/webhooks/outbox/emit-group-events.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'

/** Finds a namespace by ID or full path. Nobody finds a group that is being deleted. */
export function findNamespace(database: Database, idOrPath: string): Promise<NamespaceRow | undefined> {
  const query = database.selectFrom('namespace').selectAll().where(isNotBeingDeleted('namespace'))
  return /^\d{1,15}$/.test(idOrPath)
    ? query.where('id', '=', Number(idOrPath)).executeTakeFirst()
    : query.where(({ ref }) => sameText(ref('full_path'), idOrPath)).executeTakeFirst()
}

export interface NamespaceFilter {
  search?: string | undefined
  /** Only namespaces that this user owns. */
  ownedBy?: number | undefined
  topLevelOnly?: boolean | undefined
}

/**
 * Namespaces that `viewer` may see: visible groups and their own personal namespace. Personal namespaces of
 * others are not listed.
 */
export function listNamespaces(
  database: Database,
  { search, ownedBy, topLevelOnly }: NamespaceFilter,
  viewer: User,
  paging: Paging,
): Promise<Rows<NamespaceRow>> {
  const isOwn = sql<SqlBool>`owner_id = ${viewer.id}`
  const conditions = [
    // A single OR condition would make the planner search by kind and sort, instead of reading the list in
    // order.
    ...(viewer.is_admin
      ? []
      : [sql<SqlBool>`case when kind = 'user' then ${isOwn} else ${maySeeGroup(viewer)} end`]),
    ...(ownedBy === undefined
      ? []
      : [sql<SqlBool>`(owner_id = ${ownedBy} or ${isMemberOfGroup(ownedBy, OWNER)})`]),
    ...(topLevelOnly ? [sql<SqlBool>`parent_id is null`] : []),
    ...searchConditions(search),
  ]
  return listWhere(database, conditions, { paging })
}

export interface GroupFilter {
  search?: string | undefined
  skip?: number[] | undefined
  /** Only groups in which the viewer has at least this access level; 0 = all visible groups. */
  least: number
  /** Only direct subgroups of this group; null selects top-level groups. */
  parentId?: number | null | undefined
  /** Only descendants of this group. */
  below?: number | undefined
  /** Only groups that are shared with this one. */
  sharedWith?: number | undefined
  attributes?: Record<string, string> | undefined
  orderBy?: 'name' | 'path' | 'id' | undefined
  sort?: 'asc' | 'desc' | undefined
}

export function listGroups(
  database: Database,
  filter: GroupFilter,
  viewer: User | undefined,
  paging: Paging,
): Promise<Rows<NamespaceRow>> {
  const { least, orderBy, sort } = filter
  const conditions = [
    sql<SqlBool>`kind = 'group'`,
    least > 0 ? isMemberOfGroup(viewer?.id ?? 0, least) : maySeeGroup(viewer),
    ...searchConditions(filter.search),
    ...placeConditions(filter),
  ]
  return listWhere(database, conditions, { paging, orderBy, sort })
}

function placeConditions({ skip, parentId, below, sharedWith, attributes }: GroupFilter) {
  const isTop = parentId === null ? [sql<SqlBool>`parent_id is null`] : []
  return [
    ...(skip?.length ? [sql<SqlBool>`namespace.id not in (${sql.join(skip)})`] : []),
    ...(parentId ? [sql<SqlBool>`parent_id = ${parentId}`] : isTop),
    ...(below === undefined
      ? []
      : [
          sql<SqlBool>`namespace.id in (select group_id from group_tree where ancestor_id = ${below} and group_id <> ${below})`,
        ]),
    ...(sharedWith === undefined
      ? []
      : [
          sql<SqlBool>`namespace.id in (select group_id from share where with_group_id = ${sharedWith} and group_id is not null and (expires_at is null or expires_at > ${Date.now()}))`,
        ]),
    ...Object.entries(attributes ?? {}).map(
      ([key, value]) =>
        sql<SqlBool>`namespace.id in (select group_id from custom_attribute where key = ${key} and value = ${value})`,
    ),
  ]
}

/** Part of the name or the path. */
export function searchConditions(search: string | undefined): Expression<SqlBool>[] {
  if (!search) return []
  const [name, path] = [sql.ref('namespace.name'), sql.ref('namespace.full_path')]
  return [anyContainsText([name, path], search)]
}

function listWhere(
  database: Database,
  conditions: Expression<SqlBool>[],
  { paging, orderBy = 'name', sort = 'asc' }: Pick<GroupFilter, 'orderBy' | 'sort'> & { paging: Paging },
): Promise<Rows<NamespaceRow>> {
  const matching = database.selectFrom('namespace').where(({ and }) => and(conditions))
  return listRows(database, matching, paging, { table: 'namespace', column: orderBy, direction: sort })
}

/**
 * Disables instance runners in all projects of the group and its subgroups. Returns the IDs of the projects
 * that had them enabled.
 */
export async function disableInstanceRunnersInProjects(
  tx: Transaction,
  { id }: NamespaceRow,
): Promise<number[]> {
  await lockRows(tx, 'project', sql`namespace_id in ${groupsIn(id)}`)
  return disableInstanceRunnersOfProjects(tx, groupsIn(id))
}

/** Locks the group with its descendants, and another group, before any rows that belong to them. */
export async function lockGroupsIn(
  tx: Transaction,
  groupId: number,
  other: number | null = null,
): Promise<void> {
  await lockRows(tx, 'namespace', sql`id in ${groupsIn(groupId)} or id = cast(${other} as bigint)`)
}

type InsertListener = (groupId: number) => Promise<void>

const insertListeners = new WeakMap<Database, InsertListener>()

/** Calls `listener` with the ID of each new group, in the transaction that inserts it. */
export function onGroupInserted(database: Database, listener: InsertListener): void {
  insertListeners.set(database, listener)
}

/** Inserts a group into the tree, with `ownerId` as its first member. */
export async function insertGroup(
  tx: Transaction,
  values: Insertable<NamespaceTable>,
  ownerId?: number,
): Promise<NamespaceRow> {
  const group = await insertNamespace(tx, values)
  await insertListeners.get(storeOf(tx))?.(group.id)
  await insertIntoTree(tx, group)
  await deleteRedirect(tx, group.full_path)
  await emitGroupEvents(tx, { name: 'group_create' }, group)
  if (ownerId === undefined) return group
  const memberships = await insertMembers(tx, [
    { group_id: group.id, user_id: ownerId, access_level: OWNER, created_at: group.created_at },
  ])
  await emitMemberEvents(tx, 'added', memberships)
  return group
}

async function insertIntoTree(tx: Transaction, { id, parent_id }: NamespaceRow): Promise<void> {
  await tx.insertInto('group_tree').values({ group_id: id, ancestor_id: id }).execute()
  if (parent_id === null) return
  await sql`
    insert into group_tree (group_id, ancestor_id)
    select cast(${id} as bigint), ancestor_id from group_tree where group_id = ${parent_id}`.execute(tx)
}

/** Moves a group with its descendants below another one, or to the top level. */
export async function moveInTree(tx: Transaction, groupId: number, parentId: number | null): Promise<void> {
  await tx
    .deleteFrom('group_tree')
    .where('group_id', 'in', groupsIn(groupId))
    .where('ancestor_id', 'not in', groupsIn(groupId))
    .execute()
  if (parentId === null) return
  await sql`
    insert into group_tree (group_id, ancestor_id)
    select below.group_id, above.ancestor_id from group_tree as below, group_tree as above
      where below.ancestor_id = ${groupId} and above.group_id = ${parentId}`.execute(tx)
}

/**
 * Whether a project directly in the group has this path. The group is locked until the transaction ends, so
 * that no project takes the path.
 */
export async function hasProjectOfPath(tx: Transaction, groupId: number, path: string): Promise<boolean> {
  await lockPlace(tx, groupId)
  const project = await tx
    .selectFrom('project')
    .select('id')
    .where('namespace_id', '=', groupId)
    .where(({ ref }) => sameText(ref('path'), path))
    .executeTakeFirst()
  return project !== undefined
}

/**
 * Updates the full paths of descendants and their projects; the previous paths redirect to the new ones.
 * Repositories on disk are named by project ID and do not move.
 */
export async function renameInside(
  tx: Transaction,
  groupId: number,
  before: string,
  after: string,
): Promise<void> {
  await addRedirectsOfNamespaces(tx, groupsIn(groupId))
  await replacePathPrefixOfSubgroups(tx, groupId, before, after)
  await replacePathPrefixOfProjects(tx, groupsIn(groupId), before, after)
  await deleteRedirect(tx, after)
  await deleteRedirectsInside(tx, groupsIn(groupId))
}

/** Whether the group contains projects or groups with one of these visibilities. */
export async function holdsOfVisibility(
  tx: Transaction,
  groupId: number,
  visibilities: NamespaceRow['visibility'][],
): Promise<{ projects: boolean; groups: boolean }> {
  if (visibilities.length === 0) return { projects: false, groups: false }
  const project = await tx
    .selectFrom('project')
    .select('id')
    .where('namespace_id', 'in', groupsIn(groupId))
    .where('visibility', 'in', visibilities)
    .executeTakeFirst()
  const group = await tx
    .selectFrom('namespace')
    .select('id')
    .where('id', 'in', groupsIn(groupId))
    .where('id', '!=', groupId)
    .where('visibility', 'in', visibilities)
    .executeTakeFirst()
  return { projects: project !== undefined, groups: group !== undefined }
}

/** IDs of the projects in the group and its descendants. */
export async function projectsIn(database: Database, groupId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .select('id')
    .where('namespace_id', 'in', groupsIn(groupId))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** IDs of the group and its descendants. */
export async function groupsWithin(database: Database, groupId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('group_tree')
    .select('group_id')
    .where('ancestor_id', '=', groupId)
    .execute()
  return rows.map(({ group_id }) => group_id)
}

/** Deletes the group and its descendants, descendants first. */
export async function deleteGroups(tx: Transaction, groupId: number): Promise<void> {
  await lockGroupsIn(tx, groupId)
  const rows = await tx.selectFrom('namespace').selectAll().where('id', 'in', groupsIn(groupId)).execute()
  const depth = (path: string): number => path.split('/').length
  for (const group of rows.toSorted((a, b) => depth(b.full_path) - depth(a.full_path))) {
    // If several requests delete the group at once, only one emits the event.
    if (await deleteNamespace(tx, group.id)) await emitGroupEvents(tx, { name: 'group_destroy' }, group)
  }
}

export interface MemberCounts {
  members: number
  /** Members who count for billing: neither bots nor blocked users. */
  billable: number
}

/** Counts the members of the group or of any descendant. */
export async function countMembersIn(
  database: Database,
  groupIds: number[],
): Promise<Map<number, MemberCounts>> {
  if (groupIds.length === 0) return new Map()
  const billable = sql<number>`
    count(distinct case when "user".kind <> 'bot' and "user".state = 'active' then member.user_id end)
  `
  const rows = await database
    .selectFrom('group_tree')
    .innerJoin('member', 'member.group_id', 'group_tree.group_id')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(({ fn }) => ['group_tree.ancestor_id', fn.count<number>('user.id').distinct().as('members')])
    .select(billable.as('billable'))
    .where('group_tree.ancestor_id', 'in', groupIds)
    .groupBy('group_tree.ancestor_id')
    .execute()
  return new Map(rows.map(({ ancestor_id, ...counts }) => [ancestor_id, counts]))
}

export interface GroupSizes {
  repository_size: number
  wiki_size: number
  lfs_objects_size: number
  job_artifacts_size: number
  uploads_size: number
}

/**
 * Sizes of the projects of each group and of the wikis of groups in it, in bytes. The row of an expired artifact remains, but it has no file.
 */
export async function sizesOf(database: Database, groupIds: number[]): Promise<Map<number, GroupSizes>> {
  if (groupIds.length === 0) return new Map()
  const [repositories, wikis, objects, artifacts, uploads, groupWikis] = await Promise.all([
    sumInside(database, groupIds, sql`select project_id, repository_size as size from project_measure`),
    sumInside(database, groupIds, sql`select project_id, size from wiki`),
    sumInside(database, groupIds, sql`select project_id, size from lfs_object`),
    sumInside(database, groupIds, sql`select project_id, size from job_artifact where blob_key <> ''`),
    sumInside(database, groupIds, sql`select project_id, size from project_upload`),
    sumOfGroupWikis(database, groupIds),
  ])
  return new Map(
    groupIds.map((id) => [
      id,
      {
        repository_size: repositories.get(id) ?? 0,
        wiki_size: (wikis.get(id) ?? 0) + (groupWikis.get(id) ?? 0),
        lfs_objects_size: objects.get(id) ?? 0,
        job_artifacts_size: artifacts.get(id) ?? 0,
        uploads_size: uploads.get(id) ?? 0,
      },
    ]),
  )
}

/** Sums of `sizes` by group, over all projects in the group and its descendants. */
async function sumInside(
  database: Database,
  groupIds: number[],
  sizes: RawBuilder<unknown>,
): Promise<Map<number, number>> {
  // The cast is needed because PostgreSQL returns a sum of bigint values as numeric.
  const { rows } = await sql<{ ancestor_id: number; size: number }>`
    select tree.ancestor_id, cast(sum(sized.size) as bigint) as size
    from group_tree as tree
      join project on project.namespace_id = tree.group_id
      join (${sizes}) as sized on sized.project_id = project.id
    where tree.ancestor_id in (${sql.join(groupIds)})
    group by tree.ancestor_id`.execute(database)
  return new Map(rows.map(({ ancestor_id, size }) => [ancestor_id, size]))
}

/** Sums of the wikis of each group and its descendants. */
async function sumOfGroupWikis(database: Database, groupIds: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ ancestor_id: number; size: number }>`
    select tree.ancestor_id, cast(sum(group_wiki.size) as bigint) as size
    from group_tree as tree join group_wiki on group_wiki.group_id = tree.group_id
    where tree.ancestor_id in (${sql.join(groupIds)})
    group by tree.ancestor_id`.execute(database)
  return new Map(rows.map(({ ancestor_id, size }) => [ancestor_id, size]))
}

/** Names of the ancestor groups, by full path in lower case. */
export async function namesAbove(database: Database, groups: NamespaceRow[]): Promise<Map<string, string>> {
  const inner = groups.filter(({ parent_id }) => parent_id !== null).map(({ id }) => id)
  if (inner.length === 0) return new Map()
  const rows = await database
    .selectFrom('group_tree')
    .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
    .select(['namespace.full_path', 'namespace.name'])
    .distinct()
    .where('group_tree.group_id', 'in', inner)
    .execute()
  return new Map(rows.map(({ full_path, name }) => [full_path.toLowerCase(), name]))
}
