import type { User } from '../../access/caller.js'
import type { MergeRequestState } from '../../database/tables/merge-requests.js'
import type { Transaction } from '../../database/transaction.js'
import type { NoteRow } from '../../hosting/note-store.js'
import { storeNotice } from '../../integrations/mail/notice-store.js'
import type { IssueSnapshot } from '../../integrations/webhooks/outbox/emit-issue-event.js'
import type {
  MergeRequestAction,
  MergeRequestSnapshot,
} from '../../integrations/webhooks/outbox/emit-merge-request-event.js'

/** What happened to an issue or a merge request. */
export type PlanningChange =
  | 'opened'
  | 'closed'
  | 'reopened'
  | 'merged'
  | 'assigned'
  | 'review_requested'
  | 'labelled'
  | 'mentioned'
  | 'pushed'
  | 'approved'
  | 'auto_merge'
  | 'due'

/** Facts of a notice about an issue or a merge request. */
export interface PlanningFacts {
  id: number
  change: PlanningChange
  /** Who did it; null = the coordinator. */
  actorId: number | null
  /** Before the change, for `assigned` and `review_requested`. */
  previous?: number[]
  /** For `labelled`: labels that were added. */
  labelIds?: number[]
  /** For `mentioned`: the text before the change. */
  textBefore?: string | null
}

/** Facts of a notice about a comment. */
export interface NoteFacts {
  id: number
  /** Comments of the same author on the same merge request that were published with it, in their order. */
  otherIds?: number[]
}

/** Stores what mails are to be written about an issue: a new one, without `before`, or a changed one. */
export async function noticeIssueByMail(
  tx: Transaction,
  { id: actorId }: Pick<User, 'id'>,
  before: IssueSnapshot | undefined,
  after: IssueSnapshot,
): Promise<void> {
  const { id, project_id } = after.issue
  const changes = before
    ? [
        ...(before.issue.state === after.issue.state
          ? []
          : [{ change: after.issue.state === 'closed' ? 'closed' : 'reopened' } as const]),
        ...changesOfPeople('assigned', before.assignees, after.assignees),
        ...changesOfText(before.issue.description, after.issue.description),
        ...changesOfLabels(before, after),
      ]
    : [{ change: 'opened' } as const]
  for (const change of changes) await storeNotice(tx, 'issue', project_id, { id, actorId, ...change })
}

/** As `noticeIssueByMail`, for a merge request. */
export async function noticeMergeRequestByMail(
  tx: Transaction,
  { id: actorId }: Pick<User, 'id'>,
  before: MergeRequestSnapshot | undefined,
  after: MergeRequestSnapshot,
  { action, oldrev }: { action?: MergeRequestAction; oldrev?: string } = {},
): Promise<void> {
  const { id, project_id } = after.mergeRequest
  const changes = before ? changesOf(before, after, { action, oldrev }) : [{ change: 'opened' } as const]
  for (const change of changes) await storeNotice(tx, 'merge_request', project_id, { id, actorId, ...change })
}

/** As `noticeMergeRequestByMail`, for a new comment on an issue, a merge request, a commit or a snippet of a project. */
export async function noticeCommentByMail(tx: Transaction, { id, project_id }: NoteRow): Promise<void> {
  if (project_id !== null) await storeNotice(tx, 'note', project_id, { id })
}

/** Stores that comments on a merge request were published together: one mail has all of them. */
export async function noticeReviewByMail(
  tx: Transaction,
  [first, ...others]: readonly NoteRow[],
): Promise<void> {
  if (!first || first.project_id === null) return
  const facts: NoteFacts = { id: first.id, otherIds: others.map(({ id }) => id) }
  await storeNotice(tx, 'note', first.project_id, facts)
}

type Change = Pick<PlanningFacts, 'change' | 'previous' | 'labelIds' | 'textBefore'>

const OF_STATE = { opened: 'reopened', closed: 'closed', merged: 'merged' } as const

function changesOf(
  before: MergeRequestSnapshot,
  after: MergeRequestSnapshot,
  { action, oldrev }: { action?: MergeRequestAction | undefined; oldrev?: string | undefined },
): Change[] {
  const [was, is] = [before.mergeRequest, after.mergeRequest]
  return [
    ...changesOfState(was.state, is.state),
    ...(oldrev === undefined ? [] : [{ change: 'pushed' } as const]),
    ...(action === 'approved' || action === 'approval' ? [{ change: 'approved' } as const] : []),
    ...(is.merge_when_pipeline_succeeds && !was.merge_when_pipeline_succeeds
      ? [{ change: 'auto_merge' } as const]
      : []),
    ...changesOfPeople('assigned', before.assignees, after.assignees),
    ...changesOfPeople('review_requested', before.reviewers, after.reviewers),
    ...changesOfText(was.description, is.description),
    ...changesOfLabels(before, after),
  ]
}

/** While it is merged, a merge request is locked, and open again if that fails. */
function changesOfState(before: MergeRequestState, after: MergeRequestState): Change[] {
  const isFailedMerge = before === 'locked' && after === 'opened'
  return before === after || after === 'locked' || isFailedMerge ? [] : [{ change: OF_STATE[after] }]
}

function changesOfPeople(
  change: 'assigned' | 'review_requested',
  before: readonly number[],
  after: readonly number[],
): Change[] {
  const isSame = before.length === after.length && before.every((id) => after.includes(id))
  return isSame ? [] : [{ change, previous: [...before] }]
}

function changesOfText(before: string | null, after: string | null): Change[] {
  return before === after || !after?.includes('@') ? [] : [{ change: 'mentioned', textBefore: before }]
}

function changesOfLabels(
  before: Pick<IssueSnapshot, 'labels'>,
  after: Pick<IssueSnapshot, 'labels'>,
): Change[] {
  const had = new Set(before.labels.map(({ id }) => id))
  const labelIds = after.labels.map(({ id }) => id).filter((id) => !had.has(id))
  return labelIds.length === 0 ? [] : [{ change: 'labelled', labelIds }]
}
