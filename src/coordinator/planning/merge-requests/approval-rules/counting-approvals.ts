import { effectiveLevel, may, membershipLevel } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { highest, levelsInProjects, NO_LEVELS } from '../../access/membership-levels.js'
import type { Database } from '../../database/connect.js'
import type { ApprovalRow } from '../stores/merge-request-approval-store.js'
import { approvalsByMergeRequest } from '../stores/merge-request-archive-store.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

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
  const all = await approvalsByMergeRequest(
    database,
    approvables.map(({ row }) => row.id),
  )
  const given = approvables.flatMap((approvable) =>
    (all.get(approvable.row.id) ?? [])
      .filter((approval) => isForThis(approval, approvable))
      .map((approval) => ({ ...approvable, approval })),
  )
  const mayStill = await approversOf(database, given)
  const counting = new Map<number, ApprovalRow[]>()
  for (const { row, project, approval } of given) {
    if (!mayStill(approval.user_id, project, row)) continue
    counting.set(row.id, [...(counting.get(row.id) ?? []), approval])
  }
  return counting
}

/** The release before stored neither head nor target, and removed approvals when they changed. */
function isForThis({ head_sha, target_branch }: ApprovalRow, { row, project }: Approvable): boolean {
  if (target_branch !== null && target_branch !== row.target_branch) return false
  return head_sha === null || head_sha === row.head_sha || !project.reset_approvals_on_push
}

/** Reads the access of all users who have approved; one query for each of them. */
async function approversOf(
  database: Database,
  given: readonly { approval: ApprovalRow; project: Project }[],
): Promise<(userId: number, project: Project, row: Approvable['row']) => boolean> {
  const ids = [...new Set(given.map(({ approval }) => approval.user_id))]
  const projectIds = [...new Set(given.map(({ project }) => project.id))]
  if (ids.length === 0) return () => false
  const users = await database.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  const approvers = new Map<number, { user: User; levels: Awaited<ReturnType<typeof levelsInProjects>> }>()
  for (const user of users) {
    if (user.state !== 'active') continue
    approvers.set(user.id, { user, levels: await levelsInProjects(database, user.id, projectIds) })
  }
  return (userId, project, { author_id }) => {
    const approver = approvers.get(userId)
    if (!approver) return false
    const { personal, ...memberships } = approver.levels.get(project.id) ?? NO_LEVELS
    const access = { membership: highest({ ...memberships, personal: 0 }), ownsNamespace: personal > 0 }
    return mayApprove(
      {
        user: approver.user,
        project,
        accessLevel: effectiveLevel(approver.user, project, access),
        membership: membershipLevel(approver.user, access),
      },
      { author_id },
    )
  }
}

/** Whether the user may approve: developers, and authors only where the project says so. */
export function mayApprove(
  caller: { project: Project; user: User | undefined; accessLevel: number; membership: number },
  { author_id }: Pick<MergeRequestRow, 'author_id'>,
): boolean {
  const { user, project } = caller
  if (!user || !may('manage_merge_requests', caller)) return false
  return user.id !== author_id || project.merge_requests_author_approval
}
