import type { Database } from '../../../../database/connect.js'
import type { ProjectRow } from '../../../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../../engine-deps.js'
import {
  type ApprovalDemand,
  approvalsFor,
  type DeploymentApprovalRow,
  pendingApprovals,
} from './approvals.js'
import { fitsEntry, isDeployer, readCandidate } from './fits-entry.js'

/** The number of missing approvals at this moment: those of users who may not approve any more do not count. */
export async function missingApprovals(
  deps: Pick<EngineDeps, 'outside'>,
  database: Database,
  project: ProjectRow,
  demands: ApprovalDemand[],
  approvals: DeploymentApprovalRow[],
): Promise<number> {
  const counting: DeploymentApprovalRow[] = []
  for (const demand of demands) {
    for (const approval of approvalsFor(demand, approvals)) {
      if (await mayStillApprove(deps, database, project, demand, approval)) counting.push(approval)
    }
  }
  return pendingApprovals(demands, [...new Set(counting)])
}

async function mayStillApprove(
  deps: Pick<EngineDeps, 'outside'>,
  database: Database,
  project: ProjectRow,
  { entry, protection }: ApprovalDemand,
  { user_id }: DeploymentApprovalRow,
): Promise<boolean> {
  if (user_id === null) return false
  const user = await database.selectFrom('user').selectAll().where('id', '=', user_id).executeTakeFirst()
  if (!user) return false
  const candidate = await readCandidate(deps, database, user, project)
  return entry ? fitsEntry(candidate, entry) : isDeployer(candidate, [protection])
}
