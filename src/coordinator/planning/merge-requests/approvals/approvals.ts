import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { apiError, notFound, unauthorized } from '../../../http/errors.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { lockTheMergeRequest } from '../../access/merge-request-access.js'
import { plannedFields } from '../../record-fields.js'
import { putApproval, removeApprovals, setReviewState } from '../../stores/merge-request-approval-store.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { approvalStates } from '../approval-rules/approval-states.js'
import { approvalCounts, isApproved, type RuleState } from '../approval-rules/rule-states.js'
import { mayApprove } from '../approval-rules/who-may-approve.js'
import type { PresentDeps } from '../present.js'
import { approvalsThatCount, recordApproval } from '../record-approval.js'
import type { Approvals } from './schema.js'

type SignedIn = CallerInProject & { user: User }

export function isOpen({ state }: MergeRequestRow): boolean {
  return state === 'opened' || state === 'locked'
}

/** Who has approved a merge request, and whether that is enough. */
export async function approvalRecord(
  { database, externalUrl }: PresentDeps,
  caller: CallerInProject,
  row: MergeRequestRow,
): Promise<Approvals> {
  const { project } = caller
  const approvals = await approvalsThatCount(database, project, row)
  const states = (await approvalStates(database, [{ row, project }])).get(row.id) ?? []
  const suggested = suggestedApprovers(states)
  const users = await usersById(database, [...approvals.map(({ user_id }) => user_id), ...suggested])
  const hasApproved = approvals.some(({ user_id }) => user_id === caller.user?.id)
  const { required, left } = approvalCounts(states)
  return {
    ...plannedFields(row),
    merge_status: row.merge_status,
    approved: isApproved(states),
    approvals_required: required,
    approvals_left: left,
    has_approval_rules: states.some(({ rule }) => rule.ruleType !== 'any_approver'),
    approval_rules_left: states
      .filter((state) => state.left > 0)
      .map(({ rule }) => ({ id: rule.id, name: rule.name, rule_type: rule.ruleType })),
    suggested_approvers: suggested.flatMap((id) => {
      const user = users.get(id)
      return user ? [presentUser(user, externalUrl)] : []
    }),
    approved_by: approvals.flatMap(({ user_id, created_at }) => {
      const user = users.get(user_id)
      return user ? [{ user: presentUser(user, externalUrl), approved_at: isoTime(created_at) }] : []
    }),
    user_has_approved: hasApproved,
    user_can_approve: isOpen(row) && !hasApproved && mayApprove(caller, row),
  }
}

const MAX_SUGGESTED = 20

/** Users whose approvals would count for rules that lack some, those who would help most rules first. */
function suggestedApprovers(states: readonly RuleState[]): number[] {
  const helps = new Map<number, number>()
  for (const { left, eligible, approvedBy } of states) {
    if (left === 0) continue
    for (const id of eligible ?? []) if (!approvedBy.includes(id)) helps.set(id, (helps.get(id) ?? 0) + 1)
  }
  const ranked = [...helps].toSorted(([, one], [, other]) => other - one)
  return ranked.slice(0, MAX_SUGGESTED).map(([id]) => id)
}

/**
 * Approves a merge request, for its head and target as they are. Throws 401 if the user may not approve or has approved
 * already, and 409 if an expected head is not the one that the user would approve.
 */
export function approve(
  database: Database,
  caller: SignedIn,
  { iid, sha }: { iid: number; sha: string | undefined },
): Promise<MergeRequestRow> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, caller, iid)
    if (!isOpen(row) || !mayApprove(caller, row)) throw unauthorized()
    if (sha !== undefined && sha !== row.head_sha) {
      throw apiError('sha_mismatch', { head: row.head_sha ?? '' })
    }
    const counting = await approvalsThatCount(tx, caller.project, row)
    if (counting.some(({ user_id }) => user_id === caller.user.id)) throw unauthorized()
    await putApproval(tx, row, caller.user.id)
    await setReviewState(tx, row.id, { userId: caller.user.id, state: 'approved' })
    await recordApproval(tx, caller, row, 'approved')
    return row
  })
}

/** Takes the approval of the user back. Throws 404 if the user has not approved. */
export function unapprove(database: Database, caller: SignedIn, iid: number): Promise<MergeRequestRow> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, caller, iid)
    if (!isOpen(row)) throw unauthorized()
    if ((await removeApprovals(tx, row.id, caller.user.id)) === 0) throw notFound()
    await setReviewState(tx, row.id, { userId: caller.user.id, state: 'unapproved' })
    await recordApproval(tx, caller, row, 'unapproved')
    return row
  })
}
