import { renderMarkdown } from '../../../lib/markdown/render-markdown.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { countComments } from '../../hosting/note-store.js'
import { type Milestone, milestonesById } from '../../http/presenters/present-milestone.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { type Origin, plannedFields, relativePath } from '../record-fields.js'
import type { LabelRow } from '../stores/label-store.js'
import { labelsOfMergeRequests } from '../stores/merge-request-label-store.js'
import { assigneesOfMergeRequests, type MergeRequestRow, reviewersOf } from '../stores/merge-request-store.js'
import { tasksIn } from '../task-list.js'
import { timeStats } from '../time-tracking/time-tracking.js'
import { detailedStatus, type StatusFacts } from './detailed-status.js'
import { squashOf } from './metadata.js'
import type { MergeRequest, SimpleMergeRequest } from './record-schema.js'
import { NO_FACTS, statusFactsOf, targetProjectsOf } from './status-facts.js'

export interface PresentDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Public records in the order of the rows; the number of queries does not depend on their number. */
export async function presentMergeRequests(
  { database, externalUrl }: PresentDeps,
  rows: readonly MergeRequestRow[],
  { origin, render_html = false }: { origin?: Origin; render_html?: boolean | undefined } = {},
): Promise<MergeRequest[]> {
  const ids = rows.map(({ id }) => id)
  const assignees = await assigneesOfMergeRequests(database, ids)
  const reviewers = await reviewersOf(database, ids)
  const reviewerIds = new Map([...reviewers].map(([id, each]) => [id, each.map(({ user_id }) => user_id)]))
  const users = await usersById(database, [
    ...rows.flatMap((row) => [row.author_id, row.closed_by_id, row.merged_by_id, row.merge_user_id]),
    ...[...assignees.values(), ...reviewerIds.values()].flat(),
  ])
  const milestoneIds = rows.map(({ milestone_id }) => milestone_id)
  const projects = await targetProjectsOf(database, rows)
  const facts: Facts = {
    externalUrl,
    origin,
    users,
    assignees,
    reviewers: reviewerIds,
    projects,
    statuses: await statusFactsOf(database, rows, { projects, reviewers }),
    milestones: await milestonesById(database, externalUrl, milestoneIds),
    labels: await labelsOfMergeRequests(database, ids),
    comments: await countComments(
      database,
      'merge_request_id',
      rows.map(({ id }) => id),
    ),
  }
  const records = rows.map((row) => presentMergeRequest(row, facts))
  return render_html ? Promise.all(records.map(withHtml)) : records
}

/** As `presentMergeRequests`, with `view=simple`. */
export async function presentSimpleMergeRequests(
  { database, externalUrl }: PresentDeps,
  rows: readonly MergeRequestRow[],
): Promise<SimpleMergeRequest[]> {
  const projects = await targetProjectsOf(database, rows)
  return rows.map((row) => simpleFields(row, externalUrl, projects.get(row.project_id)?.full_path ?? ''))
}

interface Facts {
  externalUrl: string
  origin: Origin
  users: Map<number, User>
  assignees: Map<number, number[]>
  reviewers: Map<number, number[]>
  projects: Map<number, Project>
  statuses: Map<number, StatusFacts>
  milestones: Map<number, Milestone>
  labels: Map<number, LabelRow[]>
  comments: Map<number, number>
}

function presentMergeRequest(row: MergeRequestRow, facts: Facts): MergeRequest {
  const project = facts.projects.get(row.project_id)
  const path = project?.full_path ?? ''
  const status = facts.statuses.get(row.id) ?? NO_FACTS
  const { count, completed } = tasksIn(row.description)
  return {
    ...simpleFields(row, facts.externalUrl, path),
    ...peopleOf(row, facts),
    ...branchesOf(row),
    ...mergingOf(row),
    detailed_merge_status: detailedStatus(row, status),
    blocking_discussions_resolved: !status.hasUnresolvedDiscussions,
    squash_on_merge: project ? squashOf(project, row.squash) : row.squash,
    labels: (facts.labels.get(row.id) ?? []).map(({ name }) => name),
    milestone: facts.milestones.get(row.milestone_id ?? 0) ?? null,
    draft: row.draft,
    work_in_progress: row.draft,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    user_notes_count: facts.comments.get(row.id) ?? 0,
    discussion_locked: row.discussion_locked,
    reference: `!${row.iid}`,
    references: {
      short: `!${row.iid}`,
      relative: `${relativePath(path, row.project_id, facts.origin)}!${row.iid}`,
      full: `${path}!${row.iid}`,
    },
    time_stats: timeStats(row),
    task_completion_status: { count, completed_count: completed },
    imported: false,
    imported_from: 'none',
  }
}

function simpleFields(row: MergeRequestRow, externalUrl: string, path: string): SimpleMergeRequest {
  return {
    ...plannedFields(row),
    web_url: mergeRequestUrl(externalUrl, path, row.iid),
  }
}

/** URL of the page of a merge request; `path` is the full path of its project. */
function mergeRequestUrl(externalUrl: string, path: string, iid: number): string {
  return `${externalUrl}/${path}/-/merge_requests/${iid}`
}

function peopleOf(row: MergeRequestRow, { users, externalUrl, ...facts }: Facts) {
  const person = (id: number | null) => {
    const user = id === null ? undefined : users.get(id)
    return user ? presentUser(user, externalUrl) : null
  }
  const people = (ids: number[] = []) => ids.map(person).filter((user) => user !== null)
  const assignees = people(facts.assignees.get(row.id))
  return {
    author: person(row.author_id),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: people(facts.reviewers.get(row.id)),
    merged_by: person(row.merged_by_id),
    merge_user: person(row.merge_user_id ?? row.merged_by_id),
    closed_by: person(row.closed_by_id),
  }
}

function branchesOf(row: MergeRequestRow) {
  return {
    target_branch: row.target_branch,
    source_branch: row.source_branch,
    source_project_id: row.source_project_id,
    target_project_id: row.project_id,
    sha: row.head_sha,
    merge_commit_sha: row.merge_commit_sha,
    squash_commit_sha: row.squash_commit_sha,
    allow_collaboration: row.allow_collaboration,
    allow_maintainer_to_push: row.allow_collaboration,
  }
}

function mergingOf(row: MergeRequestRow) {
  return {
    merged_at: isoTimeOrNull(row.merged_at),
    closed_at: isoTimeOrNull(row.closed_at),
    prepared_at: isoTimeOrNull(row.prepared_at),
    merge_after: null,
    merge_when_pipeline_succeeds: row.merge_when_pipeline_succeeds,
    merge_status: row.merge_status,
    has_conflicts: row.merge_status === 'cannot_be_merged',
    should_remove_source_branch: wantsRemoval(row.merge_params),
    force_remove_source_branch: row.force_remove_source_branch,
    squash: row.squash,
    approvals_before_merge: null,
  }
}

/** What the user who merges said of the source branch. */
export function wantsRemoval(mergeParams: string | null): boolean | null {
  const params: unknown = mergeParams === null ? null : JSON.parse(mergeParams)
  if (typeof params !== 'object' || params === null) return null
  const wanted: unknown = 'should_remove_source_branch' in params ? params.should_remove_source_branch : null
  return typeof wanted === 'boolean' ? wanted : null
}

async function withHtml(record: MergeRequest): Promise<MergeRequest> {
  const title_html = (await renderMarkdown(record.title)).replace(/^<p>|<\/p>\s*$/g, '')
  return { ...record, title_html, description_html: await renderMarkdown(record.description ?? '') }
}
