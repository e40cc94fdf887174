import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import type { IssueTable } from '../../database/tables/issues.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { type TransferPart, transferPart, type TransferTarget } from '../../http/archive-part.js'
import { apiError, notFound } from '../../http/errors.js'
import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { labelsOfIssues, setIssueLabels } from '../stores/issue-label-store.js'
import { hasMovedIssues, positionOf } from '../stores/issue-position-store.js'
import { findIssue, insertIssue, insertLink, setAssignees } from '../stores/issue-store.js'
import { findOrCreateLabels } from '../stores/label-store.js'
import { LabelNames, MAX_IID, milestoneTitled, Seconds } from '../transfer/transferred-fields.js'
import {
  emptyHistory,
  historiesOf,
  historyFields,
  namesInHistory,
  writeHistory,
} from '../transfer/transferred-history.js'
import { type People, peopleNamed, Username } from '../transfer/transferred-people.js'
import { allowedAssignees, checkTitle } from './issues.js'
import { CreateIssue } from './schema.js'

type IssueRow = Selectable<IssueTable>

const Time = Nullable(DateTime())

const { title, description, due_date, weight, confidential, discussion_locked, issue_type } =
  CreateIssue.properties

const Transferred = Type.Object({
  iid: described(Type.Integer({ minimum: 1, maximum: MAX_IID }), 'Number within the project.'),
  title,
  description,
  due_date,
  weight,
  confidential,
  discussion_locked,
  issue_type,
  labels: optional(LabelNames, 'Names of its labels.'),
  state: described(OneOf('opened', 'closed'), 'State.'),
  milestone: optional(Nullable(Type.String()), 'Title of the milestone.'),
  author: optional(Username, 'Username of the author.'),
  assignees: optional(Type.Array(Username, { maxItems: 200 }), 'Usernames of the assignees.'),
  relative_position: optional(Nullable(Type.Integer()), 'Place in the order that users define.'),
  last_edited_at: optional(Time, 'Time of the last change of title or description.'),
  last_edited_by: optional(Nullable(Username), 'Username of the user who made that change.'),
  time_estimate: optional(Seconds, 'Estimated time, in seconds.'),
  total_time_spent: optional(Seconds, 'Time spent, in seconds.'),
  created_at: described(DateTime(), 'Time of creation.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  closed_at: optional(Time, 'Time at which it was closed.'),
  closed_by: optional(Nullable(Username), 'Username of the user who closed it; null if that is not known.'),
  ...historyFields,
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
        if (isUniqueViolation(error)) throw apiError('issue_exists')
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
        if (isUniqueViolation(error)) throw apiError('issue_link_exists')
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
      .leftJoin('user as editor', 'editor.id', 'issue.last_edited_by_id')
      .leftJoin('milestone', 'milestone.id', 'issue.milestone_id')
      .selectAll('issue')
      .select(['author.username as author', 'closer.username as closed_by'])
      .select(['editor.username as last_edited_by', 'milestone.title as milestone'])
      .where('issue.project_id', '=', projectId),
    'issue',
  )
  // The IDs, which place those that were not moved, will be others.
  const hasOrder = await hasMovedIssues(database, projectId)
  for await (const page of inChunks(rows)) {
    const ids = page.map(({ id }) => id)
    const labels = await labelsOfIssues(database, ids)
    const assignees = await assigneeNames(database, ids)
    const histories = await historiesOf(database, 'issue', ids)
    for (const row of page) {
      yield {
        ...columnsOf(row),
        relative_position: hasOrder ? positionOf(row) : null,
        author: row.author,
        closed_by: row.closed_by,
        last_edited_by: row.last_edited_by,
        milestone: row.milestone,
        labels: (labels.get(row.id) ?? []).map(({ name }) => name),
        assignees: (assignees.get(row.id) ?? []).map(({ username }) => username),
        ...(histories.get(row.id) ?? emptyHistory()),
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
    last_edited_at: isoTimeOrNull(row.last_edited_at),
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

function byIssue<Row extends { issue_id: number | null }>(rows: readonly Row[]): Map<number, Row[]> {
  return groupBy(rows, ({ issue_id: id }) => id ?? 0)
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
  const { author, closed_by, last_edited_by, assignees = [] } = record
  const names = [author, closed_by, last_edited_by, ...assignees, ...namesInHistory(record)]
  const people = await peopleNamed(tx, target, names)
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
    author_id: idOf(author),
    issue_type: record.issue_type ?? 'issue',
    discussion_locked: record.discussion_locked ?? null,
    due_date: record.due_date ?? null,
    weight: record.weight ?? null,
    relative_position: record.relative_position ?? null,
    ...editOf(record, people),
    total_time_spent: record.total_time_spent ?? 0,
    // Milestones of groups are not in the archive.
    milestone_id: await milestoneTitled(tx, project.id, record.milestone),
    created_at: Date.parse(record.created_at),
    updated_at: Date.parse(record.updated_at),
    ...(state === 'closed' && {
      closed_at: Date.parse(record.closed_at ?? record.updated_at),
      closed_by_id: closed_by === null ? null : idOf(closed_by),
    }),
  })
  // Those of groups become labels of the project.
  const ids = await findOrCreateLabels(tx, project.id, record.labels ?? [], { mayCreate: true })
  await setIssueLabels(tx, row.id, ids)
  const assignee_ids = assignees.flatMap((username) => people.get(username) ?? [])
  await setAssignees(tx, row.id, (await allowedAssignees(tx, project, { assignee_ids })) ?? [])
  await writeHistory(tx, target, { table: 'issue', id: row.id }, record, people)
  await target.onWritten?.(tx, row.id)
}

/** The last change of the title or the description. */
function editOf({ last_edited_at: at, last_edited_by: by }: Transferred, people: People) {
  if (typeof at !== 'string') return {}
  return { last_edited_at: Date.parse(at), last_edited_by_id: people.get(by ?? '') ?? null }
}
