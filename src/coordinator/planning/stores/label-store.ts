import { type Expression, type RawBuilder, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import { valuesBy } from '../../../lib/group-by.js'
import { maySeeGroup, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { MAX_COUNTED } from '../../database/count-rows.js'
import { groupsAbove, groupsAboveProject } from '../../database/stores/namespace-store.js'
import type { LabelTable } from '../../database/tables/labels.js'
import { anyContainsText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import {
  isOwnedBy,
  type OwnerScope,
  type ProjectOrGroup,
  scopeConditions,
} from '../../hosting/owner-scope.js'
import type { Paging } from '../../http/operation.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import { moveLabelEvents } from '../../integrations/resource-event-log/store.js'

export type LabelRow = Selectable<LabelTable>

/** Owner of a label. */
export type LabelOwner = ProjectOrGroup

export type LabelScope = OwnerScope

/** Lists labels by name. `search`: text that name or description contain, case-insensitive. */
export async function listLabels(
  database: Database,
  scope: LabelScope,
  search: string,
  paging: Paging,
): Promise<Rows<LabelRow>> {
  const parts = (await scopeConditions(database, 'label', scope)).map((part) =>
    matching(database, part, search),
  )
  const end = paging.offset + paging.perPage
  const ids = joined(
    database,
    parts.map((part) => inOrder(part).select(['label.id', 'label.name']).limit(end)),
  )
    .select('id')
    .orderBy('name')
    .orderBy('id')
    .limit(paging.perPage)
    .offset(paging.offset)
  const rows = await inOrder(database.selectFrom('label').where('label.id', 'in', ids))
    .selectAll('label')
    .execute()
  const counted = parts.map((part) => part.select(['label.id', 'label.name']).limit(MAX_COUNTED + 1))
  return { rows, total: await countAround(database, joined(database, counted), paging, rows.length) }
}

type LabelQuery = ReturnType<typeof matching>

function matching(database: Database, condition: RawBuilder<SqlBool>, search: string) {
  return database
    .selectFrom('label')
    .where(() => condition)
    .$if(search !== '', (all) =>
      all.where(({ ref }) =>
        anyContainsText([ref('label.name'), sql`coalesce(label.description, '')`], search),
      ),
    )
}

function inOrder(query: LabelQuery): LabelQuery {
  return query.orderBy('label.name').orderBy('label.id')
}

/** The rows of all queries together. */
function joined(database: Database, queries: Expression<{ id: number; name: string }>[]) {
  const all = queries.map((query) => sql`select * from (${query}) as part`)
  return database.selectFrom(
    sql<{ id: number; name: string }>`(${sql.join(all, sql` union all `)})`.as('parts'),
  )
}

/** Whether a label is one that things of the owner can have: its own, or one of a group above it. */
function isAvailable(owner: LabelOwner): RawBuilder<SqlBool> {
  if ('project_id' in owner) {
    return sql<SqlBool>`(label.project_id = ${owner.project_id}
      or label.group_id in ${groupsAboveProject(owner.project_id)})`
  }
  return sql<SqlBool>`label.group_id in ${groupsAbove(owner.group_id)}`
}

/** As `isAvailable`, without labels of groups above a group that the caller may not see. */
function isVisible(owner: LabelOwner, viewer: Viewer): RawBuilder<SqlBool> {
  if ('project_id' in owner) return isAvailable(owner)
  return sql<SqlBool>`(${isOwnedBy('label', owner)} or label.group_id in (select namespace.id from namespace
    where namespace.id in ${groupsAbove(owner.group_id)} and ${maySeeGroup(viewer)}))`
}

/** What names a label: an ID, a name, or text that is one of them, where IDs come first. */
export type LabelKey = { id: number } | { name: string } | { idOrName: string }

/** Where to look for a label besides the owner. */
export interface LabelSearch {
  /** Also in the groups above; in those above a group only if this caller may see them. */
  ancestorsFor?: { viewer: Viewer }
}

/** The label that the key names among those of the owner. Undefined if there is none. */
export async function findLabel(
  database: Database,
  owner: LabelOwner,
  key: LabelKey,
  { ancestorsFor }: LabelSearch = {},
): Promise<LabelRow | undefined> {
  const among = database
    .selectFrom('label')
    .selectAll()
    .where(() => (ancestorsFor ? isVisible(owner, ancestorsFor.viewer) : isOwnedBy('label', owner)))
  const name = 'name' in key ? key.name : 'idOrName' in key ? key.idOrName : undefined
  const id = 'id' in key ? key.id : 'idOrName' in key ? idIn(key.idOrName) : undefined
  const byId = id === undefined ? undefined : await among.where('id', '=', id).executeTakeFirst()
  if (byId || name === undefined) return byId
  return among.where('name', '=', name).orderBy('id').executeTakeFirst()
}

/** Only digits are an ID: `0x1` and `1e3` are names. */
function idIn(text: string): number | undefined {
  const id = /^\d+$/.test(text) ? Number(text) : undefined
  return Number.isSafeInteger(id) ? id : undefined
}

/** The labels that things in a project can have, by each of the names or IDs that names one. Names come first. */
export async function labelsForProject(
  database: Database,
  projectId: number,
  namesOrIds: readonly string[],
): Promise<Map<string, LabelRow>> {
  const ids = namesOrIds.map(idIn).filter((id) => id !== undefined)
  const rows = await database
    .selectFrom('label')
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('name', 'in', namesOrIds), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])]),
    )
    .where(() => isAvailable({ project_id: projectId }))
    .orderBy('id', 'desc')
    .execute()
  return new Map([
    ...rows.map((row): [string, LabelRow] => [String(row.id), row]),
    ...rows.map((row): [string, LabelRow] => [row.name, row]),
  ])
}

/** Whether the owner, or a group above it, has a label with this name other than the one with the ID `except`. */
export async function isNameTaken(
  tx: Transaction,
  owner: LabelOwner,
  name: string,
  except = 0,
): Promise<boolean> {
  const taken = await tx
    .selectFrom('label')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', except)
    .where(() => isAvailable(owner))
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

export type NewLabelRow = Pick<LabelRow, 'name' | 'color' | 'description'>

/** Undefined if the owner has a label with this name. */
export async function insertLabel(
  tx: Transaction,
  owner: LabelOwner,
  values: NewLabelRow,
): Promise<LabelRow | undefined> {
  const now = Date.now()
  return tx
    .insertInto('label')
    .values({ ...values, ...owner, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Color of labels that are created by their name alone. */
const DEFAULT_COLOR = '#6699cc'

export const MAX_NAME_LENGTH = 255

/**
 * IDs of the labels of a project, or of the groups above it, that have these names, in the order of the names. With
 * `mayCreate`, labels that do not exist are created in the project; otherwise they are left out. Names are trimmed;
 * empty, repeated and too long ones are left out.
 */
export async function findOrCreateLabels(
  tx: Transaction,
  projectId: number,
  names: readonly string[],
  { mayCreate }: { mayCreate: boolean },
): Promise<number[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))].filter(
    (name) => name !== '' && name.length <= MAX_NAME_LENGTH,
  )
  const found = await idsByName(tx, projectId, wanted)
  const missing = wanted.filter((name) => !found.has(name))
  if (mayCreate && missing.length > 0) {
    // In one order, so that two requests do not wait for each other.
    for (const name of missing.toSorted()) {
      await insertLabel(tx, { project_id: projectId }, { name, color: DEFAULT_COLOR, description: null })
    }
    // Another request may have created some of them.
    for (const [name, id] of await idsByName(tx, projectId, missing)) found.set(name, id)
  }
  return wanted.map((name) => found.get(name)).filter((id) => id !== undefined)
}

/** Databases limit the number of values in a query. */
const NAMES_PER_QUERY = 500

/** A label of the project itself takes precedence over one of a group. */
async function idsByName(
  tx: Transaction,
  projectId: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  const rows: { id: number; name: string; project_id: number | null }[] = []
  for (let start = 0; start < names.length; start += NAMES_PER_QUERY) {
    const found = await tx
      .selectFrom('label')
      .select(['id', 'name', 'project_id'])
      .where('name', 'in', names.slice(start, start + NAMES_PER_QUERY))
      .where(() => isAvailable({ project_id: projectId }))
      .orderBy('id', 'desc')
      .execute()
    rows.push(...found)
  }
  const ofGroups = rows.filter(({ project_id }) => project_id === null)
  const own = rows.filter(({ project_id }) => project_id !== null)
  return new Map([...ofGroups, ...own].map(({ name, id }) => [name, id]))
}

/** Undefined if it was deleted. */
export function updateLabel(
  tx: Transaction,
  id: number,
  changes: Updateable<LabelTable>,
): Promise<LabelRow | undefined> {
  return tx
    .updateTable('label')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Whether it existed. */
export async function deleteLabelRow(database: Database, id: number): Promise<boolean> {
  const deleted = await database.deleteFrom('label').where('id', '=', id).returning('id').executeTakeFirst()
  return deleted !== undefined
}

/** Priorities in a project, by label ID. */
export async function prioritiesOf(
  database: Database,
  projectId: number,
  labelIds: readonly number[],
): Promise<Map<number, number>> {
  if (labelIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('label_priority')
    .select(['label_id', 'priority'])
    .where('project_id', '=', projectId)
    .where('label_id', 'in', labelIds)
    .execute()
  return new Map(rows.map(({ label_id, priority }) => [label_id, priority]))
}

/** Null: none. */
export async function setPriority(
  tx: Transaction,
  projectId: number,
  labelId: number,
  priority: number | null,
): Promise<void> {
  if (priority === null) {
    await tx
      .deleteFrom('label_priority')
      .where('project_id', '=', projectId)
      .where('label_id', '=', labelId)
      .execute()
    return
  }
  await tx
    .insertInto('label_priority')
    .values({ project_id: projectId, label_id: labelId, priority })
    .onConflict((conflict) => conflict.columns(['project_id', 'label_id']).doUpdateSet({ priority }))
    .execute()
}

/** Where a user subscribes to a label: a group label in one of the projects of the group, or else null. */
export interface SubscriptionScope {
  userId: number
  projectId: number | null
}

/** IDs of those labels to which the user subscribed at this place. */
export async function subscribedLabels(
  database: Database,
  { userId, projectId }: SubscriptionScope,
  labelIds: readonly number[],
): Promise<Set<number>> {
  if (labelIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('label_subscription')
    .innerJoin('label', 'label.id', 'label_subscription.label_id')
    .select('label_id')
    .where('user_id', '=', userId)
    .where('label_id', 'in', labelIds)
    // The subscription to a label of the project itself names no project; that to a group label in the whole group
    // is another than that in the project, which is what the project can end.
    .where((eb) =>
      projectId === null
        ? eb('label_subscription.project_id', 'is', null)
        : eb.or([
            eb('label_subscription.project_id', '=', projectId),
            eb('label.project_id', '=', projectId),
          ]),
    )
    .execute()
  return new Set(rows.map(({ label_id }) => label_id))
}

/** Whether the user had not subscribed at this place. */
export async function addSubscription(
  database: Database,
  labelId: number,
  { userId, projectId }: SubscriptionScope,
): Promise<boolean> {
  const added = await database
    .insertInto('label_subscription')
    .values({ label_id: labelId, user_id: userId, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Whether the user had subscribed at this place. */
export async function removeSubscription(
  database: Database,
  labelId: number,
  { userId, projectId }: SubscriptionScope,
): Promise<boolean> {
  const removed = await database
    .deleteFrom('label_subscription')
    .where('label_id', '=', labelId)
    .where('user_id', '=', userId)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

/** The labels with this name of the projects directly in a group. */
export function labelsOfGroupProjects(tx: Transaction, groupId: number, name: string): Promise<LabelRow[]> {
  return tx
    .selectFrom('label')
    .innerJoin('project', 'project.id', 'label.project_id')
    .selectAll('label')
    .where('project.namespace_id', '=', groupId)
    .where('label.name', '=', name)
    .orderBy('label.id')
    .execute()
}

/**
 * Gives the issues, merge requests, events, priorities and subscribers of a project label to a group label that replaces it.
 */
export async function moveLabel(tx: Transaction, from: LabelRow, to: number): Promise<void> {
  await copyUses(tx, from.id, to)
  await moveLabelEvents(tx, from.id, to)
  await tx
    .insertInto('label_priority')
    .columns(['project_id', 'label_id', 'priority'])
    .expression(({ selectFrom }) =>
      selectFrom('label_priority')
        .select(['project_id', sql<number>`cast(${to} as bigint)`.as('label_id'), 'priority'])
        .where('label_id', '=', from.id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('label_subscription')
    .columns(['label_id', 'user_id', 'project_id'])
    .expression(({ selectFrom }) =>
      selectFrom('label_subscription')
        .select([
          sql<number>`cast(${to} as bigint)`.as('label_id'),
          'user_id',
          sql<number>`cast(${from.project_id} as bigint)`.as('project_id'),
        ])
        .where('label_id', '=', from.id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Gives the issues and merge requests with one label another one too: all of them, or those of one project. */
async function copyUses(tx: Transaction, from: number, to: number, projectId?: number): Promise<void> {
  await tx
    .insertInto('issue_label')
    .columns(['issue_id', 'label_id'])
    .expression(({ selectFrom }) =>
      selectFrom('issue_label')
        .select(['issue_id', sql<number>`cast(${to} as bigint)`.as('label_id')])
        .where('label_id', '=', from)
        .$if(projectId !== undefined, (uses) => uses.where('issue_id', 'in', issuesOf(projectId ?? 0))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('merge_request_label')
    .columns(['merge_request_id', 'label_id'])
    .expression(({ selectFrom }) =>
      selectFrom('merge_request_label')
        .select(['merge_request_id', sql<number>`cast(${to} as bigint)`.as('label_id')])
        .where('label_id', '=', from)
        .$if(projectId !== undefined, (uses) =>
          uses.where('merge_request_id', 'in', mergeRequestsOf(projectId ?? 0)),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Subquery. */
function issuesOf(projectId: number): RawBuilder<number> {
  return sql<number>`(select issue.id from issue where issue.project_id = ${projectId})`
}

/** Subquery. */
function mergeRequestsOf(projectId: number): RawBuilder<number> {
  return sql<number>`(select merge_request.id from merge_request where merge_request.project_id = ${projectId})`
}

/**
 * Group labels that issues or merge requests of the project have, that have a priority in it, or to which users
 * subscribed in it, of groups that are not above the project.
 */
export function foreignLabelsOfProject(tx: Transaction, projectId: number): Promise<LabelRow[]> {
  return tx
    .selectFrom('label')
    .selectAll()
    .where('group_id', 'is not', null)
    .where('group_id', 'not in', groupsAboveProject(projectId))
    .where(
      'id',
      'in',
      sql<number>`(
        select issue_label.label_id from issue_label where issue_label.issue_id in ${issuesOf(projectId)}
        union select merge_request_label.label_id from merge_request_label
          where merge_request_label.merge_request_id in ${mergeRequestsOf(projectId)}
        union select label_priority.label_id from label_priority where label_priority.project_id = ${projectId}
        union select label_subscription.label_id from label_subscription
          where label_subscription.project_id = ${projectId})`,
    )
    .orderBy('id')
    .execute()
}

/** Gives what one project has of a group label, as `foreignLabelsOfProject` says, to another label. */
export async function replaceLabelInProject(
  tx: Transaction,
  projectId: number,
  from: LabelRow,
  to: LabelRow,
): Promise<void> {
  await copyUses(tx, from.id, to.id, projectId)
  await moveLabelEvents(tx, from.id, to.id, projectId)
  await tx
    .deleteFrom('issue_label')
    .where('label_id', '=', from.id)
    .where('issue_id', 'in', issuesOf(projectId))
    .execute()
  await tx
    .deleteFrom('merge_request_label')
    .where('label_id', '=', from.id)
    .where('merge_request_id', 'in', mergeRequestsOf(projectId))
    .execute()
  const priority = (await prioritiesOf(tx, projectId, [from.id])).get(from.id)
  const present = (await prioritiesOf(tx, projectId, [to.id])).get(to.id)
  if (priority !== undefined && present === undefined) await setPriority(tx, projectId, to.id, priority)
  await setPriority(tx, projectId, from.id, null)
  const subscribers = await tx
    .deleteFrom('label_subscription')
    .where('label_id', '=', from.id)
    .where('project_id', '=', projectId)
    .returning('user_id')
    .execute()
  // A label of the project itself needs no project in its subscriptions.
  const at = to.project_id === null ? projectId : null
  for (const { user_id } of subscribers) {
    await addSubscription(tx, to.id, { userId: user_id, projectId: at })
  }
}

/** Labels by ID; IDs may repeat, and deleted labels are missing. */
export async function labelsById(
  database: Database,
  ids: readonly (number | null)[],
): Promise<Map<number, LabelRow>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await database.selectFrom('label').selectAll().where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Labels of issues by issue ID, by name; an issue without labels is not a key. */
export async function labelsOfIssues(
  database: Database,
  issueIds: readonly number[],
): Promise<Map<number, LabelRow[]>> {
  if (issueIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('issue_label')
    .innerJoin('label', 'label.id', 'issue_label.label_id')
    .selectAll('label')
    .select('issue_label.issue_id')
    .where('issue_label.issue_id', 'in', issueIds)
    .orderBy('label.name')
    .orderBy('label.id')
    .execute()
  return valuesBy(rows, ({ issue_id, ...label }) => [issue_id, label])
}

/** Makes these the labels of an issue that `tx` has locked. */
export async function setIssueLabels(
  tx: Transaction,
  issueId: number,
  labelIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('issue_label')
    .where('issue_id', '=', issueId)
    .$if(labelIds.length > 0, (others) => others.where('label_id', 'not in', labelIds))
    .execute()
  if (labelIds.length === 0) return
  await tx
    .insertInto('issue_label')
    .values(labelIds.map((label_id) => ({ issue_id: issueId, label_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Condition on the table `issue`: it has labels with all of these names. `None` asks for issues without labels, `Any`
 * for issues with at least one, in any case. Null if there is nothing to ask for.
 */
export function hasLabels(names: readonly string[]): RawBuilder<SqlBool> | null {
  const wanted = names.filter((name) => name !== '')
  const [first] = wanted
  if (first === undefined) return null
  const isLabeled = sql<SqlBool>`exists (select 1 from issue_label where issue_label.issue_id = issue.id)`
  const word = wanted.length === 1 ? first.toLowerCase() : ''
  if (word === 'none' || word === 'no label') return sql<SqlBool>`not ${isLabeled}`
  if (word === 'any') return isLabeled
  const each = wanted.map(
    (name) => sql`issue.id in (select issue_label.issue_id from issue_label
      join label on label.id = issue_label.label_id where label.name = ${name})`,
  )
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`
}
