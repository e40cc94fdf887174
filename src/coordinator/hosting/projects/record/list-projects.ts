import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import { DAY } from '../../../../lib/time-units.js'
import { OWNER } from '../../../access/access-levels.js'
import type { Project, User } from '../../../access/caller.js'
import { isLive } from '../../../access/is-live.js'
import { withMemberships } from '../../../access/memberships.js'
import { isMemberOfProject, maySeeProject } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import { groupsIn } from '../../../database/stores/namespace-store.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import { anyContainsText, sameText } from '../../../database/text.js'
import { invalidParameters } from '../../../http/errors.js'
import type { Paging } from '../../../http/page.js'
import { listRows, type Rows } from '../../../http/paging/list-rows.js'
import type { ListProjects } from '../settings/parameters.js'
import { isStarredBy } from '../stars/is-starred-by.js'

export interface ProjectFilter extends ListProjects {
  /** Only projects in the personal namespace of this user. */
  personalOf?: number
  /** Only projects that this user has starred. */
  starredBy?: number
  /** Only projects to which this user has contributed. */
  contributedBy?: number
  forksOf?: number
  namespaceId?: number
  /** Only projects of this group, with those of its subgroups or those shared with it. */
  inGroup?: { id: number; subgroups: boolean; shared: boolean }
  /** Only projects that are shared with this group. */
  sharedWithGroup?: number
}

type Matching = SelectQueryBuilder<Tables, 'project', object>

/** An anonymous caller, who is a member of nothing. */
const NOBODY = { id: 0 }

/** Projects that `viewer` may see, filtered and ordered; newest first by default. */
export async function listProjects(
  database: Database,
  filter: ProjectFilter,
  caller: User | undefined,
  paging: Paging,
): Promise<Rows<Project>> {
  const viewer = await withMemberships(database, caller)
  const starred = await starConditions(database, filter, viewer)
  const matching = starred.reduce(
    (query, condition) => query.where(condition),
    projectsMatching(database, await withoutIdleShares(database, filter), viewer),
  )
  const { order_by: wanted = 'created_at', sort: direction = 'desc' } = filter
  // The order would reveal the sizes of projects whose statistics the viewer may not see.
  const column = wanted === 'storage_size' && !viewer?.is_admin ? 'created_at' : wanted
  return listRows(database, matching, paging, { table: 'project', column, direction })
}

/**
 * Drops the condition on shared projects if the group has none: an index gives the projects of a group in
 * order, and the extra condition would prevent its use.
 */
async function withoutIdleShares(database: Database, filter: ProjectFilter): Promise<ProjectFilter> {
  const { inGroup } = filter
  if (!inGroup?.shared) return filter
  const { rows } = await sql`${sharedWith(inGroup.id)} limit 1`.execute(database)
  return { ...filter, inGroup: { ...inGroup, shared: rows.length > 0 } }
}

function starConditions(
  database: Database,
  { starred, starredBy }: ProjectFilter,
  viewer: User | undefined,
): Promise<RawBuilder<SqlBool>[]> {
  const stargazers = [...(starred ? [viewer?.id ?? 0] : []), ...(starredBy === undefined ? [] : [starredBy])]
  return Promise.all(stargazers.map((id) => isStarredBy(database, id)))
}

function projectsMatching(database: Database, filter: ProjectFilter, viewer: User | undefined): Matching {
  let query: Matching = database.selectFrom('project').where(maySeeProject(viewer))
  for (const condition of conditionsOf(filter, viewer)) query = query.where(condition)
  return query
}

/** Conditions that every listed project meets. */
function conditionsOf(filter: ProjectFilter, viewer: User | undefined) {
  const least = leastLevel(filter)
  return [
    ...settingConditions(filter),
    ...rangeConditions(filter),
    ...relationConditions(filter),
    ...featureConditions(filter, viewer),
    ...(viewer?.is_admin ? attributeConditions(filter) : []),
    ...(least > 0 ? [isMemberOfProject(viewer ?? NOBODY, least)] : []),
  ]
}

function leastLevel({ owned, membership, min_access_level }: ListProjects): number {
  return Math.max(owned ? OWNER : 0, membership ? 1 : 0, min_access_level ?? 0)
}

function settingConditions(filter: ProjectFilter) {
  const { archived, visibility, imported, namespaceId, search, search_namespaces } = filter
  const isImported = imported && sql<SqlBool>`project.import_type is not null`
  const hasFailed = filter.repository_checksum_failed || filter.wiki_checksum_failed
  return present([
    archived === undefined ? undefined : sql<SqlBool>`project.archived = ${archived}`,
    visibility && sql<SqlBool>`project.visibility = ${visibility}`,
    isImported || undefined,
    namespaceId === undefined ? undefined : sql<SqlBool>`project.namespace_id = ${namespaceId}`,
    search ? contains(search, search_namespaces ?? false) : undefined,
    hasFailed ? sql<SqlBool>`project.id = 0` : undefined, // there are no checksums, so none has failed
  ])
}

function contains(search: string, isWhole: boolean) {
  return anyContainsText(
    [sql.ref('project.name'), sql.ref(`project.${isWhole ? 'full_path' : 'path'}`)],
    search,
  )
}

function rangeConditions(filter: ProjectFilter) {
  const { id_after, id_before, last_activity_after: after, last_activity_before: before } = filter
  const { marked_for_deletion_on: day, marked_for_deletion: isMarked } = filter
  return present([
    id_after === undefined ? undefined : sql<SqlBool>`project.id > ${id_after}`,
    id_before === undefined ? undefined : sql<SqlBool>`project.id < ${id_before}`,
    after === undefined ? undefined : sql<SqlBool>`project.last_activity_at > ${Date.parse(after)}`,
    before === undefined ? undefined : sql<SqlBool>`project.last_activity_at < ${Date.parse(before)}`,
    day === undefined ? undefined : isMarkedBetween(Date.parse(day), Date.parse(day) + DAY),
    isMarked === undefined
      ? undefined
      : sql<SqlBool>`(project.marked_for_deletion_at is not null) = ${isMarked}`,
  ])
}

function isMarkedBetween(from: number, to: number) {
  return sql<SqlBool>`project.marked_for_deletion_at >= ${from} and project.marked_for_deletion_at < ${to}`
}

function relationConditions(filter: ProjectFilter) {
  const { personalOf, contributedBy, forksOf, topic, inGroup, sharedWithGroup } = filter
  return present([
    personalOf === undefined
      ? undefined
      : sql<SqlBool>`project.namespace_id in (select id from namespace where kind = 'user' and owner_id = ${personalOf})`,
    contributedBy === undefined
      ? undefined
      : sql<SqlBool>`project.id in (select project_id from pipeline where user_id = ${contributedBy})`,
    forksOf === undefined ? undefined : sql<SqlBool>`project.forked_from_id = ${forksOf}`,
    inGroup && isInGroup(inGroup),
    sharedWithGroup === undefined ? undefined : isSharedWith(sharedWithGroup),
    ...topicsIn(topic).map(hasTopic),
  ])
}

function isInGroup({ id, subgroups, shared }: NonNullable<ProjectFilter['inGroup']>): RawBuilder<SqlBool> {
  const inside = subgroups
    ? sql<SqlBool>`project.namespace_id in ${groupsIn(id)}`
    : sql<SqlBool>`project.namespace_id = ${id}`
  return shared ? sql<SqlBool>`(${inside} or ${isSharedWith(id)})` : inside
}

function isSharedWith(groupId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`project.id in (${sharedWith(groupId)})`
}

function sharedWith(groupId: number): RawBuilder<unknown> {
  return sql`
    select project_id from share
      where with_group_id = ${groupId} and project_id is not null and ${isLive('share', Date.now())}`
}

/** Each of them is a condition of the query. */
const MAX_TOPICS = 100

function topicsIn(topic = ''): string[] {
  const topics = topic
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (topics.length > MAX_TOPICS) throw invalidParameters('topic has too many values')
  return topics
}

function hasTopic(topic: string) {
  const isIt = sameText(sql.ref('project_topic.name'), topic)
  return sql<SqlBool>`project.id in (select project_id from project_topic where ${isIt})`
}

function featureConditions(filter: ProjectFilter, viewer: User | undefined) {
  const { with_programming_language: language } = filter
  return present([
    filter.with_issues_enabled ? isUsable('issues', viewer) : undefined,
    filter.with_merge_requests_enabled ? isUsable('merge_requests', viewer) : undefined,
    language
      ? sql<SqlBool>`project.id in (select project_id from project_language where lower(name) = lower(${language}))`
      : undefined,
  ])
}

/** A feature that is limited to members is unavailable to other users. */
function isUsable(feature: 'issues' | 'merge_requests', viewer: User | undefined) {
  const level = sql.ref(`project.${feature}_access_level`)
  if (viewer?.is_admin) return sql<SqlBool>`${level} <> 'disabled'`
  const isKept = sql<SqlBool>`${level} = 'private' and ${isMemberOfProject(viewer ?? NOBODY, 1)}`
  return sql<SqlBool>`(${level} = 'enabled' or (${isKept}))`
}

function attributeConditions({ custom_attributes = {} }: ProjectFilter) {
  return Object.entries(custom_attributes).map(
    ([key, value]) =>
      sql<SqlBool>`project.id in (select project_id from custom_attribute where key = ${key} and value = ${value})`,
  )
}

function present<T>(conditions: (T | undefined | '' | false)[]): T[] {
  return conditions.filter((condition): condition is T => Boolean(condition))
}
