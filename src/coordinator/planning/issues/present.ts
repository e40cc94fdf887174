import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { findFullPaths } from '../../database/stores/project-store.js'
import { countComments } from '../../hosting/note-store.js'
import { type Milestone, milestonesById } from '../../http/presenters/present-milestone.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { labelDetails } from '../labels/label-details.js'
import { type Origin, plannedFields, relativePath } from '../record-fields.js'
import { type EpicOfIssue, epicsOfIssues } from '../stores/epic-issue-store.js'
import { labelsOfIssues } from '../stores/issue-label-store.js'
import { assigneesOf, type IssueRow } from '../stores/issue-store.js'
import type { LabelRow } from '../stores/label-store.js'
import { countClosing } from '../stores/merge-request-issue-store.js'
import { tasksIn } from '../task-list.js'
import { timeStats } from '../time-tracking/time-tracking.js'
import type { Issue, ListedIssue } from './record-schema.js'

export interface PresentDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/**
 * Public records in the order of the rows; the number of queries does not depend on their number. `viewer`: who sees the
 * epics; by default an anonymous caller.
 */
export async function presentIssues(
  { database, externalUrl }: PresentDeps,
  rows: readonly IssueRow[],
  origin?: Origin,
  viewer?: User,
): Promise<Issue[]> {
  const ids = rows.map(({ id }) => id)
  const assignees = await assigneesOf(database, ids)
  const users = await usersById(database, [
    ...rows.flatMap(({ author_id, closed_by_id }) => [author_id, closed_by_id]),
    ...[...assignees.values()].flat(),
  ])
  const facts: Facts = {
    externalUrl,
    origin,
    users,
    assignees,
    paths: await findFullPaths(
      database,
      rows.map(({ project_id }) => project_id),
    ),
    milestones: await milestonesById(
      database,
      externalUrl,
      rows.map(({ milestone_id }) => milestone_id),
    ),
    labels: await labelsOfIssues(database, ids),
    epics: await epicsOfIssues(database, viewer, ids),
    blocking: await blockedBy(database, ids),
    comments: await countComments(database, 'issue_id', ids),
    closing: await countClosing(database, ids),
  }
  return rows.map((row) => presentIssue(row, facts))
}

/** As `presentIssues`, for lists, whose labels may be described. */
export async function presentListedIssues(
  deps: PresentDeps,
  rows: readonly IssueRow[],
  origin: Origin,
  { with_labels_details = false }: { with_labels_details?: boolean },
  viewer: User | undefined,
): Promise<ListedIssue[]> {
  const records = await presentIssues(deps, rows, origin, viewer)
  if (!with_labels_details) return records
  const ids = rows.map(({ id }) => id)
  const labels = await labelsOfIssues(deps.database, ids)
  return Promise.all(
    records.map(async (record) => ({
      ...record,
      labels: await Promise.all((labels.get(record.id) ?? []).map(labelDetails)),
    })),
  )
}

interface Facts {
  externalUrl: string
  origin: Origin
  users: Map<number, User>
  assignees: Map<number, number[]>
  paths: Map<number, string>
  milestones: Map<number, Milestone>
  labels: Map<number, LabelRow[]>
  epics: Map<number, EpicOfIssue>
  blocking: Map<number, number>
  comments: Map<number, number>
  closing: Map<number, number>
}

function presentIssue(row: IssueRow, facts: Facts): Issue {
  const { externalUrl, users } = facts
  const path = facts.paths.get(row.project_id) ?? ''
  const person = (id: number | null) => {
    const user = id === null ? undefined : users.get(id)
    return user ? presentUser(user, externalUrl) : null
  }
  const labels = facts.labels.get(row.id) ?? []
  const assignees = (facts.assignees.get(row.id) ?? []).map(person).filter((user) => user !== null)
  return {
    ...plainFields(row),
    ...taskFields(row),
    closed_by: person(row.closed_by_id),
    labels: labels.map(({ name }) => name),
    milestone: facts.milestones.get(row.milestone_id ?? 0) ?? null,
    ...epicFields(facts.epics.get(row.id)),
    assignees,
    author: person(row.author_id),
    assignee: assignees[0] ?? null,
    user_notes_count: facts.comments.get(row.id) ?? 0,
    merge_requests_count: facts.closing.get(row.id) ?? 0,
    blocking_issues_count: facts.blocking.get(row.id) ?? 0,
    web_url: issueUrl(externalUrl, path, row.iid),
    time_stats: timeStats(row),
    references: {
      short: `#${row.iid}`,
      relative: `${relativePath(path, row.project_id, facts.origin)}#${row.iid}`,
      full: `${path}#${row.iid}`,
    },
    _links: linksTo(row, externalUrl),
  }
}

function epicFields(epic: EpicOfIssue | undefined): Pick<Issue, 'epic' | 'epic_id' | 'epic_iid'> {
  if (!epic) return { epic: null, epic_id: null, epic_iid: null }
  const { id, iid, title, group_id, full_path } = epic
  const url = `/groups/${full_path}/-/epics/${iid}`
  return { epic: { id, iid, title, url, group_id }, epic_id: id, epic_iid: iid }
}

function plainFields(row: IssueRow) {
  return {
    ...plannedFields(row),
    closed_at: isoTimeOrNull(row.closed_at),
    type: row.issue_type.toUpperCase(),
    issue_type: row.issue_type,
    severity: 'UNKNOWN',
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.due_date,
    confidential: row.confidential,
    discussion_locked: row.discussion_locked,
    weight: row.weight,
    moved_to_id: row.moved_to_id,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
  }
}

function taskFields({ description }: IssueRow) {
  const { count, completed } = tasksIn(description)
  return {
    has_tasks: count > 0,
    task_status: `${completed} of ${count} tasks completed`,
    task_completion_status: { count, completed_count: completed },
  }
}

function linksTo({ project_id, iid }: IssueRow, externalUrl: string) {
  const project = `${externalUrl}/api/v4/projects/${project_id}`
  const self = `${project}/issues/${iid}`
  return {
    self,
    notes: `${self}/notes`,
    award_emoji: `${self}/award_emoji`,
    project,
    closed_as_duplicate_of: null,
  }
}

/** URL of the page of an issue; `path` is the full path of its project. */
function issueUrl(externalUrl: string, path: string, iid: number): string {
  return `${externalUrl}/${path}/-/issues/${iid}`
}

/** Numbers of open issues that each of these issues blocks. */
async function blockedBy(database: Database, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('issue_link')
    .innerJoin('issue', 'issue.id', 'issue_link.target_id')
    .select(['issue_link.source_id', ({ fn }) => fn.countAll<number>().as('total')])
    .where('issue_link.source_id', 'in', ids)
    .where('issue_link.link_type', '=', 'blocks')
    .where('issue.state', '=', 'opened')
    .groupBy('issue_link.source_id')
    .execute()
  return new Map(rows.map(({ source_id, total }) => [source_id, total]))
}
