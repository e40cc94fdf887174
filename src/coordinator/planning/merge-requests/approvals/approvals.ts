import { may } from '../../../access/access.js'
import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import {
  addApproval,
  type ApprovalRow,
  approvalsOf,
  removeApprovals,
  setReviewState,
} from '../../../hosting/merge-request-approval-store.js'
import type { MergeRequestRow } from '../../../hosting/merge-request-store.js'
import { ApiError, notFound, unauthorized } from '../../../http/errors.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import type { MergeRequestAction } from '../../../integrations/webhooks/outbox/emit-merge-request-event.js'
import type { Place } from '../../issue-access.js'
import { lockTheMergeRequest } from '../../merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../../merge-request-changes.js'
import { addSystemNotes } from '../../system-notes.js'
import type { PresentDeps } from '../present.js'
import type { Approvals } from './schema.js'

type SignedIn = Place & { user: User }

/** Whether the user may approve: developers, and authors only where the project says so. */
function mayApprove(place: Place, { author_id }: MergeRequestRow): boolean {
  const { user, project } = place
  if (!user || !may('manage_merge_requests', place)) return false
  return user.id !== author_id || project.merge_requests_author_approval
}

function isOpen({ state }: MergeRequestRow): boolean {
  return state === 'opened' || state === 'locked'
}

/** Who has approved a merge request, and whether that is enough. */
export async function approvalRecord(
  { database, externalUrl }: PresentDeps,
  place: Place,
  row: MergeRequestRow,
): Promise<Approvals> {
  const approvals = await approvalsOf(database, row.id)
  const users = await usersById(
    database,
    approvals.map(({ user_id }) => user_id),
  )
  const hasApproved = approvals.some(({ user_id }) => user_id === place.user?.id)
  const left = approvalsLeft(place.project, approvals)
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    merge_status: row.merge_status,
    approved: left === 0,
    approvals_required: place.project.approvals_before_merge,
    approvals_left: left,
    approved_by: approvals.flatMap(({ user_id, created_at }) => {
      const user = users.get(user_id)
      return user ? [{ user: presentUser(user, externalUrl), approved_at: isoTime(created_at) }] : []
    }),
    user_has_approved: hasApproved,
    user_can_approve: isOpen(row) && !hasApproved && mayApprove(place, row),
  }
}

function approvalsLeft(
  { approvals_before_merge }: Pick<Project, 'approvals_before_merge'>,
  approvals: readonly ApprovalRow[],
): number {
  return Math.max(0, approvals_before_merge - approvals.length)
}

/**
 * Approves a merge request. Throws 401 if the user may not approve or has approved already, and 409 if an expected head
 * is not the one that the user would approve.
 */
export function approve(
  database: Database,
  place: SignedIn,
  { iid, sha }: { iid: number; sha: string | undefined },
): Promise<MergeRequestRow> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, place, iid)
    if (!isOpen(row) || !mayApprove(place, row)) throw unauthorized()
    if (sha !== undefined && sha !== row.head_sha) {
      throw new ApiError(409, { message: `SHA does not match HEAD of source branch: ${row.head_sha ?? ''}` })
    }
    if (!(await addApproval(tx, row.id, place.user.id))) throw unauthorized()
    await setReviewState(tx, row.id, { userId: place.user.id, state: 'approved' })
    await record(tx, place, row, 'approved')
    return row
  })
}

/** Takes the approval of the user back. Throws 404 if the user has not approved. */
export function unapprove(database: Database, place: SignedIn, iid: number): Promise<MergeRequestRow> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, place, iid)
    if (!isOpen(row)) throw unauthorized()
    if ((await removeApprovals(tx, row.id, place.user.id)) === 0) throw notFound()
    await setReviewState(tx, row.id, { userId: place.user.id, state: 'unapproved' })
    await record(tx, place, row, 'unapproved')
    return row
  })
}

/** Removes all approvals of a merge request that `tx` has locked. */
export async function resetApprovals(
  tx: Transaction,
  { project, user }: { project: Project; user: Pick<User, 'id'> },
  row: MergeRequestRow,
): Promise<void> {
  if ((await removeApprovals(tx, row.id)) === 0) return
  await setReviewState(tx, row.id, { state: 'unapproved' })
  await record(tx, { project, user }, row, 'reset')
}

const TEXTS = {
  approved: 'approved this merge request',
  unapproved: 'unapproved this merge request',
  reset: 'removed all approvals',
} as const

/** Adds a note, and emits an event, which says whether the approvals are now complete, or not any more. */
async function record(
  tx: Transaction,
  { project, user }: { project: Project; user: Pick<User, 'id'> },
  row: MergeRequestRow,
  what: keyof typeof TEXTS,
): Promise<void> {
  const owner = { column: 'merge_request_id', id: row.id } as const
  const about = { owner, projectId: row.project_id, userId: user.id }
  await addSystemNotes(tx, about, [{ action: 'approvals', body: TEXTS[what] }])
  const isComplete = approvalsLeft(project, await approvalsOf(tx, row.id)) === 0
  const action: MergeRequestAction =
    what === 'approved' ? (isComplete ? 'approved' : 'approval') : isComplete ? 'unapproval' : 'unapproved'
  await emitMergeRequestChange(tx, user, await mergeRequestSnapshot(tx, row), row, { action })
}
