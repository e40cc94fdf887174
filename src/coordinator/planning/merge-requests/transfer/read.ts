import { streamedChunks } from '../../../../lib/chunks.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inPages } from '../../../database/in-pages.js'
import { isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import {
  approvalsByMergeRequest,
  namedIssuesOf,
  versionsOf,
} from '../../stores/merge-request-archive-store.js'
import { labelsOfMergeRequests } from '../../stores/merge-request-label-store.js'
import {
  assigneesOfMergeRequests,
  type MergeRequestRow,
  reviewersOf,
  type VersionRow,
} from '../../stores/merge-request-store.js'
import { emptyHistory, historiesOf } from '../../transfer/transferred-history.js'
import { wantsRemoval } from '../present.js'
import type { TransferredMergeRequest } from './schema.js'

type Row = MergeRequestRow & { milestone: string | null }

/** Number of merge requests whose labels, people and versions are read at once. */
const CHUNK = 100

/** The merge requests into a project, the oldest first. */
export async function* mergeRequestsOf(
  database: Database,
  projectId: number,
): AsyncGenerator<TransferredMergeRequest> {
  const rows = inPages(
    database
      .selectFrom('merge_request')
      .leftJoin('milestone', 'milestone.id', 'merge_request.milestone_id')
      .selectAll('merge_request')
      .select('milestone.title as milestone')
      .where('merge_request.project_id', '=', projectId),
    'merge_request',
  )
  for await (const chunk of streamedChunks(rows, CHUNK)) yield* await recordsOf(database, chunk)
}

async function recordsOf(database: Database, rows: readonly Row[]): Promise<TransferredMergeRequest[]> {
  const ids = rows.map(({ id }) => id)
  const labels = await labelsOfMergeRequests(database, ids)
  const assignees = await assigneesOfMergeRequests(database, ids)
  const reviewers = await reviewersOf(database, ids)
  const approvals = await approvalsByMergeRequest(database, ids)
  const versions = await versionsOf(database, ids)
  const issues = await namedIssuesOf(database, ids)
  const histories = await historiesOf(database, 'merge_request', ids)
  const users = await usersById(database, [
    ...rows.flatMap((row) => [row.author_id, row.merged_by_id, row.merge_user_id]),
    ...rows.flatMap((row) => [row.closed_by_id, row.last_edited_by_id]),
    ...[...assignees.values()].flat(),
    ...[...reviewers.values(), ...approvals.values()].flat().map(({ user_id }) => user_id),
    ...[...versions.values()].flat().map(({ pushed_by_id }) => pushed_by_id),
  ])
  const name = nameIn(users)
  const named = ({ user_id, created_at }: { user_id: number; created_at: number }) => ({
    user: name(user_id) ?? '',
    created_at: isoTime(created_at),
  })
  return rows.map((row) => ({
    ...columnsOf(row),
    ...peopleOf(row, name),
    milestone: row.milestone,
    labels: (labels.get(row.id) ?? []).map((label) => label.name),
    assignees: (assignees.get(row.id) ?? []).map((id) => name(id) ?? ''),
    reviewers: (reviewers.get(row.id) ?? []).map((each) => ({ ...named(each), state: each.state })),
    approvals: (approvals.get(row.id) ?? []).map(named),
    versions: (versions.get(row.id) ?? []).map((version) => versionOf(version, name)),
    issues: (issues.get(row.id) ?? []).map(({ iid, closes }) => ({ iid, closes })),
    ...(histories.get(row.id) ?? emptyHistory()),
  }))
}

type NameOf = (id: number | null) => string | null

function nameIn(users: ReadonlyMap<number, User>): NameOf {
  return (id) => users.get(id ?? 0)?.username ?? null
}

function peopleOf(row: Row, name: NameOf) {
  return {
    author: name(row.author_id) ?? '',
    merged_by: name(row.merged_by_id),
    // While it is open, this user waits for a pipeline, which is not in the archive.
    merge_user: row.state === 'merged' ? name(row.merge_user_id) : null,
    closed_by: name(row.closed_by_id),
    last_edited_by: name(row.last_edited_by_id),
  }
}

function columnsOf(row: Row) {
  const { iid, title, description, source_branch, target_branch, discussion_locked, squash } = row
  const { allow_collaboration, force_remove_source_branch, time_estimate, total_time_spent } = row
  const { head_sha, merge_status, merge_commit_sha, squash_commit_sha } = row
  return {
    iid,
    title,
    description,
    source_branch,
    target_branch,
    discussion_locked,
    squash,
    allow_collaboration,
    force_remove_source_branch,
    time_estimate,
    total_time_spent,
    head_sha,
    merge_commit_sha,
    squash_commit_sha,
    // The merge that is being made is not in the archive.
    state: row.state === 'locked' ? ('opened' as const) : row.state,
    merge_status: merge_status === 'checking' ? ('unchecked' as const) : merge_status,
    from_other_project: row.source_project_id !== row.project_id,
    should_remove_source_branch: row.state === 'merged' ? wantsRemoval(row.merge_params) : null,
    merged_at: isoTimeOrNull(row.merged_at),
    closed_at: isoTimeOrNull(row.closed_at),
    last_edited_at: isoTimeOrNull(row.last_edited_at),
    prepared_at: isoTimeOrNull(row.prepared_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}

function versionOf(version: VersionRow, name: NameOf) {
  const { head_sha, base_sha, start_sha, commit_count, file_count } = version
  const made = { pushed_by: name(version.pushed_by_id), created_at: isoTime(version.created_at) }
  return { head_sha, base_sha, start_sha, commit_count, file_count, ...made }
}
