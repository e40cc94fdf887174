import { isLongRefName, isRefName } from '../../../../git/names.js'
import type { Transaction } from '../../../database/transaction.js'
import type { TransferTarget } from '../../../http/archive-part.js'
import { invalidRecord } from '../../../http/errors.js'
import { findOrCreateLabels } from '../../stores/label-store.js'
import {
  insertApprovals,
  insertReviewers,
  insertVersions,
  issueIdsByIid,
} from '../../stores/merge-request-archive-store.js'
import { setIssuesOfMergeRequest } from '../../stores/merge-request-issue-store.js'
import { setMergeRequestLabels } from '../../stores/merge-request-label-store.js'
import { requestRefresh } from '../../stores/merge-request-refresh-store.js'
import { insertMergeRequest, setMergeRequestAssignees } from '../../stores/merge-request-store.js'
import { milestoneTitled } from '../../transfer/transferred-fields.js'
import { namesInHistory, writeHistory } from '../../transfer/transferred-history.js'
import { type People, peopleNamed } from '../../transfer/transferred-people.js'
import { checkPair } from '../branches.js'
import { isDraft } from '../draft.js'
import { readersAmong } from '../people.js'
import type { TransferredMergeRequest } from './schema.js'

/**
 * Creates a merge request from its record. One whose source branch belongs to another project has none, as if that
 * project was deleted. Throws 400 for an empty title and for names that no branch has, and 409 or 422 if no open merge
 * request may have its branches.
 */
export async function writeMergeRequest(
  tx: Transaction,
  target: TransferTarget,
  record: TransferredMergeRequest,
): Promise<void> {
  const { project } = target
  const { iid, source_branch, target_branch, from_other_project = false, state } = record
  check(record)
  const source_project_id = from_other_project ? null : project.id
  if (state === 'opened' && source_project_id !== null) {
    await checkPair(tx, { source_project_id, source_branch, project_id: project.id, target_branch })
  }
  const people = await peopleNamed(tx, target, namesIn(record))
  const row = await insertMergeRequest(tx, {
    iid,
    project_id: project.id,
    source_project_id,
    source_branch,
    target_branch,
    state,
    ...columnsOf(record),
    ...timesOf(record),
    ...peopleOf(target, record, people),
    remove_source_branch_by_id: record.force_remove_source_branch ? target.importer.id : null,
    milestone_id: await milestoneTitled(tx, project.id, record.milestone),
  })
  // Those of groups become labels of the project.
  const labels = await findOrCreateLabels(tx, project.id, record.labels ?? [], { mayCreate: true })
  await setMergeRequestLabels(tx, row.id, labels)
  await writePeople(tx, target, row.id, record, people)
  await writeIssues(tx, project.id, row.id, record)
  await insertVersions(
    tx,
    (record.versions ?? []).map((version) => versionOf(row.id, version, people)),
  )
  await writeHistory(tx, target, { table: 'merge_request', id: row.id }, record, people)
  await requestRefresh(tx, [row], null)
  await target.onWritten?.(tx, row.id)
}

function check({ title, source_branch, target_branch }: TransferredMergeRequest): void {
  if (title.trim() === '') throw invalidRecord({ title: ["can't be blank"] })
  for (const [field, name] of Object.entries({ source_branch, target_branch })) {
    if (!isRefName(name) || isLongRefName(name)) throw invalidRecord({ [field]: ['is invalid'] })
  }
}

function namesIn(record: TransferredMergeRequest): (string | null | undefined)[] {
  const { author, merged_by, merge_user, closed_by, last_edited_by, assignees = [] } = record
  const { reviewers = [], approvals = [], versions = [] } = record
  return [
    ...[author, merged_by, merge_user, closed_by, last_edited_by],
    ...assignees,
    ...[...reviewers, ...approvals].map(({ user }) => user),
    ...versions.map(({ pushed_by }) => pushed_by),
    ...namesInHistory(record),
  ]
}

function columnsOf(record: TransferredMergeRequest) {
  const { title, state, should_remove_source_branch: removal } = record
  const isRemovalKnown = state === 'merged' && typeof removal === 'boolean'
  return {
    title,
    draft: isDraft(title),
    description: record.description ?? null,
    discussion_locked: record.discussion_locked ?? null,
    squash: record.squash ?? false,
    allow_collaboration: record.allow_collaboration ?? false,
    force_remove_source_branch: record.force_remove_source_branch ?? false,
    head_sha: record.head_sha ?? null,
    merge_status: record.merge_status ?? 'unchecked',
    merge_params: isRemovalKnown ? JSON.stringify({ should_remove_source_branch: removal }) : null,
    merge_commit_sha: record.merge_commit_sha ?? null,
    squash_commit_sha: record.squash_commit_sha ?? null,
    time_estimate: record.time_estimate ?? 0,
    total_time_spent: record.total_time_spent ?? 0,
  }
}

function timesOf({ state, updated_at, ...record }: TransferredMergeRequest) {
  const time = (text: string | null | undefined) => (typeof text === 'string' ? Date.parse(text) : null)
  return {
    merged_at: time(record.merged_at ?? (state === 'merged' ? updated_at : null)),
    closed_at: time(record.closed_at ?? (state === 'closed' ? updated_at : null)),
    last_edited_at: time(record.last_edited_at),
    prepared_at: time(record.prepared_at),
    created_at: Date.parse(record.created_at),
    updated_at: Date.parse(updated_at),
  }
}

/** Unknown people are the importer, except where null says that nobody is known. */
function peopleOf({ importer }: TransferTarget, record: TransferredMergeRequest, people: People) {
  const idOf = (name: string | null | undefined) =>
    typeof name === 'string' ? (people.get(name) ?? importer.id) : null
  return {
    author_id: idOf(record.author) ?? importer.id,
    merged_by_id: idOf(record.merged_by),
    merge_user_id: idOf(record.merge_user),
    closed_by_id: idOf(record.closed_by),
    last_edited_by_id: people.get(record.last_edited_by ?? '') ?? null,
  }
}

/** Nobody is assigned, asked for a review or counted as an approver in another user's place. */
async function writePeople(
  tx: Transaction,
  { project }: TransferTarget,
  id: number,
  { assignees = [], reviewers = [], approvals = [] }: TransferredMergeRequest,
  people: People,
): Promise<void> {
  const known = (names: readonly string[]) => names.flatMap((name) => people.get(name) ?? [])
  await setMergeRequestAssignees(tx, id, await readersAmong(tx, project, known(assignees)))
  const asked = new Map(reviewers.map((reviewer) => [people.get(reviewer.user) ?? 0, reviewer]))
  const readers = await readersAmong(tx, project, [...asked.keys()])
  await insertReviewers(
    tx,
    readers.map((user_id, position) => {
      const { state = 'unreviewed' as const, created_at = '' } = asked.get(user_id) ?? {}
      return { merge_request_id: id, user_id, position, state, created_at: Date.parse(created_at) }
    }),
  )
  const approved = new Map(approvals.map((approval) => [people.get(approval.user) ?? 0, approval.created_at]))
  approved.delete(0)
  await insertApprovals(
    tx,
    [...approved].map(([user_id, at]) => ({ merge_request_id: id, user_id, created_at: Date.parse(at) })),
  )
}

async function writeIssues(
  tx: Transaction,
  projectId: number,
  id: number,
  { issues = [] }: TransferredMergeRequest,
): Promise<void> {
  const ids = await issueIdsByIid(
    tx,
    projectId,
    issues.map(({ iid }) => iid),
  )
  const named = new Map(issues.map(({ iid, closes }) => [ids.get(iid) ?? 0, closes]))
  named.delete(0)
  const rows = [...named].map(([issue, closes]) => ({ id: issue, closes }))
  const inOrder = rows.toSorted((a, b) => a.id - b.id)
  await setIssuesOfMergeRequest(tx, id, inOrder)
}

type TransferredVersion = NonNullable<TransferredMergeRequest['versions']>[number]

/** It counts as reported, so that no pipeline is created for it. */
function versionOf(id: number, version: TransferredVersion, people: People) {
  const { head_sha, base_sha, start_sha, commit_count, file_count, pushed_by, created_at } = version
  return {
    merge_request_id: id,
    head_sha,
    base_sha,
    start_sha,
    commit_count,
    file_count,
    pushed_by_id: people.get(pushed_by ?? '') ?? null,
    reported: true,
    created_at: Date.parse(created_at),
  }
}
