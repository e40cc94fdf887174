import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { ApprovalRow } from '../../stores/merge-request-approval-store.js'
import { approvalsByMergeRequest } from '../../stores/merge-request-archive-store.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { Approvers } from './who-may-approve.js'

/** A merge request as it would be merged. */
export interface Approvable {
  row: Pick<MergeRequestRow, 'id' | 'author_id' | 'target_branch' | 'head_sha'>
  /** The target project. */
  project: Project
}

/**
 * The approvals that count at this moment, by merge request ID, the oldest first: those that were given for this target
 * branch, and for this head if a push removes approvals, by active users who may still approve.
 */
export async function countingApprovals(
  database: Database,
  approvables: readonly Approvable[],
): Promise<Map<number, ApprovalRow[]>> {
  const counting = new Map<number, ApprovalRow[]>()
  if (approvables.length === 0) return counting
  const all = await approvalsByMergeRequest(
    database,
    approvables.map(({ row }) => row.id),
  )
  const given = approvables.flatMap((approvable) =>
    (all.get(approvable.row.id) ?? [])
      .filter((approval) => isForThis(approval, approvable))
      .map((approval) => ({ ...approvable, approval })),
  )
  const approvers = await approversOf(database, given)
  for (const { row, project, approval } of given) {
    if (!approvers.get(project.id)?.has(approval.user_id, row)) continue
    counting.set(row.id, [...(counting.get(row.id) ?? []), approval])
  }
  return counting
}

/** The release before stored neither head nor target, and removed approvals when they changed. */
function isForThis({ head_sha, target_branch }: ApprovalRow, { row, project }: Approvable): boolean {
  if (target_branch !== null && target_branch !== row.target_branch) return false
  return head_sha === null || head_sha === row.head_sha || !project.reset_approvals_on_push
}

/** The users who have approved, by project ID. */
async function approversOf(
  database: Database,
  given: readonly { approval: ApprovalRow; project: Project }[],
): Promise<Map<number, Approvers>> {
  const approvers = new Map<number, Approvers>()
  for (const project of new Map(given.map((each) => [each.project.id, each.project])).values()) {
    const ids = given.filter((each) => each.project.id === project.id).map(({ approval }) => approval.user_id)
    approvers.set(project.id, await Approvers.read(database, project, ids))
  }
  return approvers
}
