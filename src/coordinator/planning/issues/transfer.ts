import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import type { IssueTable } from '../../database/tables/issues.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { findIssue, insertIssue, insertLink, setAssignees } from '../../hosting/issue-store.js'
import { findOrCreateLabels, labelsOfIssues, setIssueLabels } from '../../hosting/label-store.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import { type TransferPart, transferPart, type TransferTarget } from '../../http/archive-part.js'
import { conflict, notFound } from '../../http/errors.js'
import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { insertResourceEvents } from '../../integrations/resource-events/store.js'
import { allowedAssignees, checkTitle } from './issues.js'
import { CreateIssue } from './schema.js'

type IssueRow = Selectable<IssueTable>

const Seconds = Type.Integer({ minimum: 0 })
const Username = Type.String()
const Time = Nullable(DateTime())

const { title, description, due_date, weight, confidential, discussion_locked, issue_type, labels } =
  CreateIssue.properties

const Transferred = Type.Object({
  iid: described(Type.Integer({ minimum: 1 }), 'Number within the project.'),
  title,
  description,
  due_date,
  weight,
  confidential,
  discussion_locked,
  issue_type,
  labels,
  state: described(OneOf('opened', 'closed'), 'State.'),
  milestone: optional(Nullable(Type.String()), 'Title of the milestone.'),
  author: optional(Username, 'Username of the author.'),
  assignees: optional(Type.Array(Username), 'Usernames of the assignees.'),
  time_estimate: optional(Seconds, 'Estimated time, in seconds.'),
  total_time_spent: optional(Seconds, 'Time spent, in seconds.'),
  created_at: described(DateTime(), 'Time of creation.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  closed_at: optional(Time, 'Time at which it was closed.'),
  closed_by: optional(Username, 'Username of the user who closed it.'),
  state_events: optional(
    Type.Array(
      Type.Object({
        action: described(OneOf('closed', 'reopened'), 'New state.'),
        user: optional(Username, 'Username of the user who made the change.'),
        created_at: described(DateTime(), 'Time of the change.'),
      }),
    ),
    'Changes of the state.',
  ),
})
type Transferred = Static<typeof Transferred>

const TransferredLink = Type.Object({
  source_iid: described(Type.Integer(), 'Number of the issue that has the link.'),
  target_iid: described(Type.Integer(), 'Number of the issue to which it leads.'),
  link_type: described(OneOf('relates_to', 'blocks'), 'Kind of the link.'),
})

/**
 * Import and export of issues with their labels, assignees, milestones, times and changes of state. Authors and
 * other people are kept only if an administrator imports the archive; otherwise they are the importer.
 */
export function issuePart(database: Database): TransferPart {
  return transferPart({
    name: 'issues',
    schema: Transferred,
    read: ({ id }) => issuesOf(database, id),
    identityOf: ({ iid }) => iid,
    write: async (target, record) => {
      try {
        await inTransaction(database, (tx) => writeIssue(tx, target, record))
      } catch (error) {
        if (isUniqueViolation(error)) throw conflict('Duplicated issue')
        throw error
      }
    },
  })
}

/** Import and export of the links between the issues of a project. */
export function issueLinkPart(database: Database): TransferPart {
  return transferPart({
    name: 'issue_links',
    schema: TransferredLink,
    read: ({ id }) => linksIn(database, id),
    identityOf: ({ source_iid, target_iid }) => [source_iid, target_iid],
    write: async ({ project }, { source_iid, target_iid, link_type }) => {
      const source = await findIssue(database, project.id, source_iid)
      const target = await findIssue(database, project.id, target_iid)
      if (!source || !target) throw notFound('Issue')
      try {
        await inTransaction(database, (tx) =>
          insertLink(tx, { source_id: source.id, target_id: target.id, link_type }),
        )
      } catch (error) {
        if (isUniqueViolation(error)) throw conflict('Issue(s) already assigned')
        throw error
      }
    },
  })
}

async function* issuesOf(database: Database, projectId: number): AsyncGenerator<Transferred> {
  const rows = inPages(
    database
      .selectFrom('issue')
      .innerJoin('user as author', 'author.id', 'issue.author_id')
      .leftJoin('user as closer', 'closer.id', 'issue.closed_by_id')
      .leftJoin('milestone', 'milestone.id', 'issue.milestone_id')
      .selectAll('issue')
      .select(['author.username as author', 'closer.username as closed_by', 'milestone.title as milestone'])
      .where('issue.project_id', '=', projectId),
    'issue',
  )
  for await (const page of inChunks(rows)) {
    const ids = page.map(({ id }) => id)
    const labels = await labelsOfIssues(database, ids)
    const assignees = await assigneeNames(database, ids)
    const events = await stateEvents(database, ids)
    for (const row of page) {
      yield {
        ...columnsOf(row),
        author: row.author,
        closed_by: row.closed_by ?? undefined,
        milestone: row.milestone,
        labels: (labels.get(row.id) ?? []).map(({ name }) => name),
        assignees: (assignees.get(row.id) ?? []).map(({ username }) => username),
        state_events: (events.get(row.id) ?? []).map(({ action, username, created_at }) => ({
          action: action === 'closed' ? 'closed' : 'reopened',
          user: username,
          created_at: isoTime(created_at),
        })),
      }
    }
  }
}

function columnsOf(row: IssueRow) {
  const { iid, title, description, state, issue_type, confidential, discussion_locked } = row
  const { due_date, weight, time_estimate, total_time_spent } = row
  return {
    iid,
    title,
    description,
    state,
    issue_type,
    confidential,
    discussion_locked,
    due_date,
    weight,
    time_estimate,
    total_time_spent,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    closed_at: isoTimeOrNull(row.closed_at),
  }
}

/** Number of issues whose labels and people are read at once. */
const CHUNK = 200

async function* inChunks<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let chunk: Row[] = []
  for await (const row of rows) {
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

async function assigneeNames(database: Database, ids: readonly number[]) {
  const rows = await database
    .selectFrom('issue_assignee')
    .innerJoin('user', 'user.id', 'issue_assignee.user_id')
    .select(['issue_assignee.issue_id', 'user.username'])
    .where('issue_assignee.issue_id', 'in', ids)
    .orderBy('issue_assignee.position')
    .execute()
  return byIssue(rows)
}

async function stateEvents(database: Database, ids: readonly number[]) {
  const rows = await database
    .selectFrom('resource_event')
    .innerJoin('user', 'user.id', 'resource_event.user_id')
    .select(['resource_event.issue_id', 'action', 'user.username', 'resource_event.created_at'])
    .where('resource_event.issue_id', 'in', ids)
    .where('resource_event.kind', '=', 'state')
    .orderBy('resource_event.id')
    .execute()
  return byIssue(rows)
}

function byIssue<Row extends { issue_id: number | null }>(rows: readonly Row[]): Map<number, Row[]> {
  const grouped = new Map<number, Row[]>()
  for (const row of rows) {
    const id = row.issue_id ?? 0
    const present = grouped.get(id)
    if (present) present.push(row)
    else grouped.set(id, [row])
  }
  return grouped
}

async function* linksIn(database: Database, projectId: number) {
  const rows = inPages(
    database
      .selectFrom('issue_link')
      .innerJoin('issue as source', 'source.id', 'issue_link.source_id')
      .innerJoin('issue as target', 'target.id', 'issue_link.target_id')
      .select(['issue_link.id', 'source.iid as source_iid', 'target.iid as target_iid', 'link_type'])
      .where('source.project_id', '=', projectId)
      .where('target.project_id', '=', projectId),
    'issue_link',
  )
  for await (const { source_iid, target_iid, link_type } of rows) yield { source_iid, target_iid, link_type }
}

async function writeIssue(tx: Transaction, target: TransferTarget, record: Transferred): Promise<void> {
  const { project, importer } = target
  checkTitle(record.title)
  const people = await peopleOf(tx, target, record)
  const idOf = (username: string | undefined) => people.get(username ?? '') ?? importer.id
  const { iid, title, description = null, state, confidential = false, time_estimate = 0 } = record
  const row = await insertIssue(tx, {
    iid,
    title,
    description,
    state,
    confidential,
    time_estimate,
    project_id: project.id,
    author_id: idOf(record.author),
    issue_type: record.issue_type ?? 'issue',
    discussion_locked: record.discussion_locked ?? null,
    due_date: record.due_date ?? null,
    weight: record.weight ?? null,
    total_time_spent: record.total_time_spent ?? 0,
    // Milestones of groups are not in the archive.
    milestone_id: await milestoneTitled(tx, project.id, record.milestone),
    created_at: Date.parse(record.created_at),
    updated_at: Date.parse(record.updated_at),
    ...(state === 'closed' && {
      closed_at: Date.parse(record.closed_at ?? record.updated_at),
      closed_by_id: idOf(record.closed_by),
    }),
  })
  // Those of groups become labels of the project.
  const ids = await findOrCreateLabels(tx, project.id, record.labels ?? [], { mayCreate: true })
  await setIssueLabels(tx, row.id, ids)
  const assignee_ids = (record.assignees ?? []).flatMap((username) => people.get(username) ?? [])
  await setAssignees(tx, row.id, (await allowedAssignees(tx, project, { assignee_ids })) ?? [])
  await insertResourceEvents(
    tx,
    (record.state_events ?? []).map(({ action, user, created_at }) => ({
      kind: 'state' as const,
      action,
      issue_id: row.id,
      merge_request_id: null,
      label_id: null,
      milestone_id: null,
      user_id: idOf(user),
      created_at: Date.parse(created_at),
    })),
  )
}

async function milestoneTitled(
  tx: Transaction,
  projectId: number,
  title: string | null | undefined,
): Promise<number | null> {
  if (title === undefined || title === null) return null
  const [milestone] = await milestonesForProject(tx, projectId, { titles: [title] })
  return milestone?.id ?? null
}

/**
 * The users whom the record names, by username. Only an administrator can vouch that equal usernames on two servers
 * belong to the same person, so that there are none in other imports.
 */
async function peopleOf(
  tx: Transaction,
  { importer }: TransferTarget,
  { author, closed_by, assignees = [], state_events = [] }: Transferred,
): Promise<Map<string, number>> {
  const names = [author, closed_by, ...assignees, ...state_events.map(({ user }) => user)]
  const wanted = [...new Set(names.filter((name) => name !== undefined))]
  if (!importer.is_admin || wanted.length === 0) return new Map()
  const users = await tx
    .selectFrom('user')
    .select(['id', 'username'])
    .where('username', 'in', wanted)
    .where('kind', '=', 'human')
    .execute()
  return new Map(users.map(({ id, username }) => [username, id]))
}
