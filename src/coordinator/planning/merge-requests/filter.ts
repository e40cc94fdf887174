import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import type { DeployedQuery } from '../../ci/engine/deployments/deployment-merge-request-store.js'
import { anyContainsText } from '../../database/text.js'
import { milestonesTitled } from '../../hosting/milestone-store.js'
import { unauthorized } from '../../http/errors.js'
import { isUserNamed, userNamed } from '../lists/user-named.js'
import { mergeRequestHasLabels } from '../stores/merge-request-label-store.js'
import type { MergeRequestFilter } from './list-schema.js'

type Condition = RawBuilder<SqlBool>

/** Parameters of a list, and what its path says. */
export type MergeRequestQuery = MergeRequestFilter & { milestone_id?: number }

/** The parameters that select merge requests; an order is not part of them. */
export type MergeRequestSelection = Omit<
  MergeRequestQuery,
  'order_by' | 'sort' | 'non_archived' | 'with_labels_details' | 'view' | 'render_html'
>

/** Conditions on the table `merge_request` of a list, except for deployments. Throws 401 for a scope that requires a caller. */
export function conditionsOf(filter: MergeRequestSelection, viewer: User | undefined): Condition[] {
  return [
    ...stateOf(filter),
    ...scopeOf(filter, viewer),
    ...peopleIn(filter),
    ...approvedBy(filter),
    ...namingApprovers(filter),
    ...branchesIn(filter),
    ...textIn(filter),
    ...labelsIn(filter.labels),
    ...milestoneIn(filter),
    ...emojiIn(filter, viewer),
    ...datesIn(filter),
    ...(filter.not ? excluded(filter.not, viewer) : []),
  ]
}

function stateOf({ state = 'all', iids = [], wip }: MergeRequestSelection): Condition[] {
  return [
    ...(state === 'all' ? [] : [sql<SqlBool>`merge_request.state = ${state}`]),
    ...(iids.length === 0 ? [] : [sql<SqlBool>`merge_request.iid in (${sql.join(iids)})`]),
    ...(wip === undefined ? [] : [sql<SqlBool>`merge_request.draft = ${wip === 'yes'}`]),
  ]
}

function scopeOf({ scope = 'all' }: MergeRequestSelection, viewer: User | undefined): Condition[] {
  if (scope === 'all') return []
  if (!viewer) throw unauthorized()
  if (scope === 'created_by_me') return [sql<SqlBool>`merge_request.author_id = ${viewer.id}`]
  return [isOneOf(scope === 'assigned_to_me' ? 'assignee' : 'reviewer', viewer.id)]
}

type People = Pick<
  MergeRequestSelection,
  'author_id' | 'author_username' | 'assignee_id' | 'assignee_username' | 'reviewer_id' | 'reviewer_username'
>

function peopleIn(given: People): Condition[] {
  const { author_id, author_username, assignee_id, assignee_username = [] } = given
  const { reviewer_id, reviewer_username } = given
  return [
    ...(author_id === undefined ? [] : [sql<SqlBool>`merge_request.author_id = ${author_id}`]),
    ...(author_username === undefined ? [] : [isUserNamed('merge_request.author_id', author_username)]),
    ...(assignee_id === undefined ? [] : [isOneOrWord('assignee', assignee_id)]),
    ...assignee_username.map((name) => isOneOf('assignee', userNamed(name))),
    ...(reviewer_id === undefined ? [] : [isOneOrWord('reviewer', reviewer_id)]),
    ...(reviewer_username === undefined ? [] : [isOneOf('reviewer', userNamed(reviewer_username))]),
  ]
}

type Role = 'assignee' | 'reviewer' | 'approval'

function isOneOrWord(role: Role, who: number | string): Condition {
  // Clients also send 0 for nobody.
  if (typeof who === 'number' && who !== 0) return isOneOf(role, who)
  return isNone(String(who)) || who === 0 ? not(hasAny(role)) : hasAny(role)
}

function hasAny(role: Role): Condition {
  const table = sql.table(`merge_request_${role}`)
  return sql<SqlBool>`exists (select 1 from ${table} where merge_request_id = merge_request.id)`
}

/** `who` is an ID or a subquery of IDs in parentheses. */
function isOneOf(role: Role, who: number | RawBuilder<number>): Condition {
  const users = typeof who === 'number' ? sql`(${who})` : who
  const table = sql.table(`merge_request_${role}`)
  return sql<SqlBool>`merge_request.id in (select merge_request_id from ${table} where user_id in ${users})`
}

function approvedBy({ approved_by_ids: ids }: MergeRequestSelection): Condition[] {
  if (ids === undefined) return []
  if (typeof ids === 'string') return [isOneOrWord('approval', ids)]
  return ids.map((id) => isOneOf('approval', id))
}

/** Everybody who may approve may approve each merge request: none of them is named. */
function namingApprovers({ approver_ids: ids }: MergeRequestSelection): Condition[] {
  if (ids === undefined || (typeof ids === 'string' && isNone(ids))) return []
  return [sql<SqlBool>`1 = 0`]
}

function isNone(word: string): boolean {
  return word.toLowerCase() === 'none'
}

type Branches = Pick<MergeRequestSelection, 'source_branch' | 'target_branch'>

function branchesIn({ source_branch, target_branch }: Branches): Condition[] {
  return [
    ...(source_branch === undefined ? [] : [sql<SqlBool>`merge_request.source_branch = ${source_branch}`]),
    ...(target_branch === undefined ? [] : [sql<SqlBool>`merge_request.target_branch = ${target_branch}`]),
  ]
}

function textIn({ search = '', in: places }: Pick<MergeRequestSelection, 'search' | 'in'>): Condition[] {
  if (search === '') return []
  const words = (places ?? 'title,description').split(',').map((word) => word.trim())
  const columns = [
    ...(words.includes('title') ? [sql.ref('merge_request.title')] : []),
    ...(words.includes('description') ? [sql`coalesce(merge_request.description, '')`] : []),
  ]
  if (columns.length === 0) return []
  return [sql<SqlBool>`${anyContainsText(columns, search)}`]
}

function labelsIn(names: readonly string[] = []): Condition[] {
  const condition = mergeRequestHasLabels(names)
  return condition ? [condition] : []
}

type InMilestone = Pick<MergeRequestSelection, 'milestone' | 'milestone_id'>

function milestoneIn({ milestone, milestone_id }: InMilestone): Condition[] {
  if (milestone_id !== undefined) return [sql<SqlBool>`merge_request.milestone_id = ${milestone_id}`]
  if (milestone === undefined) return []
  // The sign keeps SQLite from an index that has most rows: the one of the order fills a page sooner.
  if (isNone(milestone)) return [sql<SqlBool>`+merge_request.milestone_id is null`]
  if (milestone.toLowerCase() === 'any') return [sql<SqlBool>`merge_request.milestone_id is not null`]
  return [
    sql<SqlBool>`merge_request.id in (
    select in_milestone.id from merge_request as in_milestone where in_milestone.milestone_id in ${milestonesTitled(milestone)})`,
  ]
}

/** Merge requests to which the caller gave an emoji; there are none to ask for without a caller. */
function emojiIn(
  { my_reaction_emoji: name }: Pick<MergeRequestSelection, 'my_reaction_emoji'>,
  viewer: User | undefined,
): Condition[] {
  if (name === undefined || !viewer) return []
  const given = (condition: RawBuilder<unknown>) => sql<SqlBool>`merge_request.id in (
    select award_emoji.merge_request_id from award_emoji where award_emoji.user_id = ${viewer.id}
      and ${condition} and award_emoji.merge_request_id is not null)`
  const word = name.toLowerCase()
  if (word === 'any') return [given(sql`true`)]
  return [word === 'none' ? not(given(sql`true`)) : given(sql`award_emoji.name = ${name}`)]
}

function datesIn(filter: MergeRequestSelection): Condition[] {
  return [
    ...bound('created_at', '>=', filter.created_after),
    ...bound('created_at', '<=', filter.created_before),
    ...bound('updated_at', '>=', filter.updated_after),
    ...bound('updated_at', '<=', filter.updated_before),
  ]
}

/** The successful deployments that a list asks for; undefined if it does not. */
export function deployedOf(filter: MergeRequestSelection): DeployedQuery | undefined {
  const { environment, deployed_after, deployed_before } = filter
  if (environment === undefined && deployed_after === undefined && deployed_before === undefined)
    return undefined
  return {
    environment,
    after: deployed_after === undefined ? undefined : Date.parse(deployed_after),
    before: deployed_before === undefined ? undefined : Date.parse(deployed_before),
  }
}

function bound(column: string, operator: '>=' | '<=', time: string | undefined): Condition[] {
  if (time === undefined) return []
  return [sql<SqlBool>`${sql.ref(`merge_request.${column}`)} ${sql.raw(operator)} ${Date.parse(time)}`]
}

/** Each of the parameters leaves out the merge requests that match it. */
function excluded(
  { labels = [], milestone, ...given }: NonNullable<MergeRequestSelection['not']>,
  viewer: User | undefined,
): Condition[] {
  const inMilestone = milestoneIn(milestone === undefined ? {} : { milestone })
  return [
    ...peopleIn(given),
    ...branchesIn(given),
    ...labels.flatMap((name) => labelsIn([name])),
    ...textIn(given),
    ...emojiIn(given, viewer),
    ...inMilestone.map((matches) => sql<SqlBool>`(merge_request.milestone_id is not null and ${matches})`),
  ].map(not)
}

function not(condition: Condition): Condition {
  return sql<SqlBool>`not (${condition})`
}
