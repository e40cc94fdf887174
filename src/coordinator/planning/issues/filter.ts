import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { DAY } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import { isAssigned } from '../../access/planning-visibility.js'
import { maySeeGroup } from '../../access/visibility.js'
import { anyContainsText } from '../../database/text.js'
import { milestonesTitled } from '../../hosting/milestone-store.js'
import { unauthorized } from '../../http/errors.js'
import { isUserNamed, userNamed } from '../lists/user-named.js'
import { hasLabels } from '../stores/issue-label-store.js'
import type { IssueFilter } from './schema.js'

type Condition = RawBuilder<SqlBool>

/** Parameters of a list, and what its path says. */
export type IssueQuery = IssueFilter & { milestone_id?: number }

/** The parameters that select issues; an order is not part of them. */
export type IssueSelection = Omit<IssueQuery, 'order_by' | 'sort' | 'non_archived' | 'with_labels_details'>

/** Conditions on the table `issue` of a list. Throws 401 for a scope that requires a caller. */
export function conditionsOf(
  filter: IssueSelection,
  viewer: User | undefined,
  now = Date.now(),
): Condition[] {
  return [
    ...stateOf(filter),
    ...scopeOf(filter, viewer),
    ...peopleIn(filter),
    ...textIn(filter),
    ...labelsIn(filter.labels),
    ...milestoneIn(filter),
    ...emojiIn(filter, viewer),
    ...epicIn(filter, viewer),
    ...datesIn(filter, now),
    ...(filter.not ? excluded(filter.not, viewer) : []),
  ]
}

function stateOf({
  state = 'all',
  confidential,
  iids = [],
  issue_type,
  weight,
}: IssueSelection): Condition[] {
  return [
    ...(state === 'all' ? [] : [sql<SqlBool>`issue.state = ${state}`]),
    ...(confidential === undefined ? [] : [sql<SqlBool>`issue.confidential = ${confidential}`]),
    ...(iids.length === 0 ? [] : [sql<SqlBool>`issue.iid in (${sql.join(iids)})`]),
    ...(issue_type === undefined ? [] : [sql<SqlBool>`issue.issue_type = ${issue_type}`]),
    ...(weight === undefined ? [] : [valueOrWord('issue.weight', weight)]),
  ]
}

function scopeOf({ scope = 'all' }: IssueSelection, viewer: User | undefined): Condition[] {
  if (scope === 'all') return []
  if (!viewer) throw unauthorized()
  return [scope === 'created_by_me' ? sql<SqlBool>`issue.author_id = ${viewer.id}` : isAssigned(viewer.id)]
}

/** `None` and `Any` ask whether there is a value, which is not a value itself. */
function valueOrWord(column: string, value: number | string): Condition {
  const ref = sql.ref(column)
  if (typeof value === 'number') return sql<SqlBool>`${ref} = ${value}`
  return isNone(value) ? sql<SqlBool>`${ref} is null` : sql<SqlBool>`${ref} is not null`
}

function isNone(word: string): boolean {
  return word.toLowerCase() === 'none'
}

type People = Pick<IssueSelection, 'author_id' | 'author_username' | 'assignee_id' | 'assignee_username'>

function peopleIn({ author_id, author_username, assignee_id, assignee_username = [] }: People): Condition[] {
  return [
    ...(author_id === undefined ? [] : [sql<SqlBool>`issue.author_id = ${author_id}`]),
    ...(author_username === undefined ? [] : [isUserNamed('issue.author_id', author_username)]),
    ...(assignee_id === undefined ? [] : [isAssignedTo(assignee_id)]),
    ...assignee_username.map((name) => isAssigned(userNamed(name))),
  ]
}

function isAssignedTo(who: number | string): Condition {
  // Clients also send 0 for nobody.
  if (typeof who === 'number' && who !== 0) return isAssigned(who)
  const isAny = sql<SqlBool>`exists (select 1 from issue_assignee where issue_id = issue.id)`
  return who === 0 || isNone(who) ? not(isAny) : isAny
}

function textIn({ search = '', in: places }: Pick<IssueSelection, 'search' | 'in'>): Condition[] {
  if (search === '') return []
  const words = (places ?? 'title,description').split(',').map((word) => word.trim())
  const columns = [
    ...(words.includes('title') ? [sql.ref('issue.title')] : []),
    ...(words.includes('description') ? [sql`coalesce(issue.description, '')`] : []),
  ]
  if (columns.length === 0) return []
  return [sql<SqlBool>`${anyContainsText(columns, search)}`]
}

function labelsIn(names: readonly string[] = []): Condition[] {
  const condition = hasLabels(names)
  return condition ? [condition] : []
}

function milestoneIn({
  milestone,
  milestone_id,
}: Pick<IssueSelection, 'milestone' | 'milestone_id'>): Condition[] {
  if (milestone_id !== undefined) return [sql<SqlBool>`issue.milestone_id = ${milestone_id}`]
  if (milestone === undefined) return []
  const word = milestone.toLowerCase()
  // The sign keeps SQLite from an index that has most issues: the one of the order fills a page sooner.
  if (word === 'none') return [sql<SqlBool>`+issue.milestone_id is null`]
  if (word === 'any') return [sql<SqlBool>`issue.milestone_id is not null`]
  return [
    sql<SqlBool>`issue.id in (
    select in_milestone.id from issue as in_milestone where in_milestone.milestone_id in ${milestonesTitled(milestone)})`,
  ]
}

/** Issues to which the caller gave an emoji; there are none to ask for without a caller. */
function emojiIn(
  { my_reaction_emoji: name }: Pick<IssueSelection, 'my_reaction_emoji'>,
  viewer: User | undefined,
): Condition[] {
  if (name === undefined || !viewer) return []
  const given = (condition: RawBuilder<unknown>) => sql<SqlBool>`issue.id in (
    select award_emoji.issue_id from award_emoji
      where award_emoji.user_id = ${viewer.id} and ${condition} and award_emoji.issue_id is not null)`
  const word = name.toLowerCase()
  if (word === 'any') return [given(sql`true`)]
  return [word === 'none' ? not(given(sql`true`)) : given(sql`award_emoji.name = ${name}`)]
}

/** Issues of an epic that the caller may see. */
function epicIn({ epic_id: wanted }: Pick<IssueSelection, 'epic_id'>, viewer: User | undefined): Condition[] {
  if (wanted === undefined) return []
  const ofEpic = (condition: RawBuilder<unknown>) => sql<SqlBool>`issue.id in (
    select epic_issue.issue_id from epic_issue
      join epic on epic.id = epic_issue.epic_id
      join namespace on namespace.id = epic.group_id
      where ${condition} and ${maySeeGroup(viewer)})`
  if (typeof wanted === 'number') return [ofEpic(sql`epic_issue.epic_id = ${wanted}`)]
  return [isNone(wanted) ? not(ofEpic(sql`true`)) : ofEpic(sql`true`)]
}

function datesIn(filter: IssueSelection, now: number): Condition[] {
  const { created_after, created_before, updated_after, updated_before, due_date } = filter
  return [
    ...(created_after === undefined ? [] : [sql<SqlBool>`issue.created_at >= ${Date.parse(created_after)}`]),
    ...(created_before === undefined
      ? []
      : [sql<SqlBool>`issue.created_at <= ${Date.parse(created_before)}`]),
    ...(updated_after === undefined ? [] : [sql<SqlBool>`issue.updated_at >= ${Date.parse(updated_after)}`]),
    ...(updated_before === undefined
      ? []
      : [sql<SqlBool>`issue.updated_at <= ${Date.parse(updated_before)}`]),
    ...(due_date === undefined ? [] : [isDue(due_date, now)]),
  ]
}

/** Days are those of UTC; a week begins on Monday. */
function isDue(when: NonNullable<IssueSelection['due_date']>, now: number): Condition {
  const today = new Date(now)
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()]
  const monday = now - ((today.getUTCDay() + 6) % 7) * DAY
  const lastOf = (offset: number) => Date.UTC(year, month + offset + 1, 0)
  switch (when) {
    case '0':
      return sql<SqlBool>`issue.due_date is null`
    case 'any':
      return sql<SqlBool>`issue.due_date is not null`
    case 'today':
      return isBetween(now, now)
    case 'tomorrow':
      return isBetween(now + DAY, now + DAY)
    case 'overdue':
      return sql<SqlBool>`issue.due_date < ${day(now)}`
    case 'week':
      return isBetween(monday, monday + 6 * DAY)
    case 'month':
      return isBetween(Date.UTC(year, month, 1), lastOf(0))
    case 'next_month_and_previous_two_weeks':
      return isBetween(now - 14 * DAY, lastOf(1))
  }
}

function isBetween(first: number, last: number): Condition {
  return sql<SqlBool>`(issue.due_date >= ${day(first)} and issue.due_date <= ${day(last)})`
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Each of the parameters leaves out the issues that match it. */
function excluded(given: NonNullable<IssueSelection['not']>, viewer: User | undefined): Condition[] {
  const { author_id, author_username, assignee_id, assignee_username = [], iids = [], labels = [] } = given
  const { milestone: milestones = [] } = given
  return [
    ...peopleIn({ author_id, author_username, assignee_id }),
    ...assignee_username.map((name) => isAssigned(userNamed(name))),
    ...labels.flatMap((name) => labelsIn([name])),
    ...textIn(given),
    ...emojiIn(given, viewer),
    ...milestones
      .flatMap((milestone) => milestoneIn({ milestone }))
      .map((matches) => sql<SqlBool>`(issue.milestone_id is not null and ${matches})`),
    ...(iids.length === 0 ? [] : [sql<SqlBool>`issue.iid in (${sql.join(iids)})`]),
  ].map(not)
}

function not(condition: Condition): Condition {
  return sql<SqlBool>`not (${condition})`
}
