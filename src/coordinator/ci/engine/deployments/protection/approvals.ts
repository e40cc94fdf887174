import type { Selectable } from 'kysely'

import { groupBy } from '../../../../../lib/group-by.js'
import type { Database } from '../../../../database/connect.js'
import type { DeploymentApprovalTable } from '../../../../database/tables/protected-environments.js'
import type { EnvironmentProtection, ProtectedEnvironmentEntryRow } from './find-protections.js'

export type DeploymentApprovalRow = Selectable<DeploymentApprovalTable>

/**
 * The number of approvals that a deployment needs from the users of one entry, or from deployers if no entry
 * requires any.
 */
export interface ApprovalDemand {
  /** Undefined = the approval count of the protected environment itself. */
  entry: ProtectedEnvironmentEntryRow | undefined
  protection: EnvironmentProtection
  required: number
}

/**
 * The approvals that the rules of an environment require. Entries that require approvals replace the approval
 * count of their rule.
 */
export function approvalDemands(protections: EnvironmentProtection[]): ApprovalDemand[] {
  return protections.flatMap((protection): ApprovalDemand[] => {
    const { approvers, required_approval_count: required } = protection
    if (approvers.length > 0) {
      return approvers.map((entry) => ({ entry, protection, required: entry.required_approvals }))
    }
    return required > 0 ? [{ entry: undefined, protection, required }] : []
  })
}

/** The approvals of a deployment that count towards a demand. */
export function approvalsFor(
  { entry }: ApprovalDemand,
  approvals: DeploymentApprovalRow[],
): DeploymentApprovalRow[] {
  return approvals.filter(({ entry_id, is_of_deployer }) => (entry ? entry_id === entry.id : is_of_deployer))
}

/** The number of missing approvals. */
export function pendingApprovals(demands: ApprovalDemand[], approvals: DeploymentApprovalRow[]): number {
  let pending = 0
  for (const demand of demands) {
    const given = approvalsFor(demand, approvals).filter(({ status }) => status === 'approved').length
    pending += Math.max(0, demand.required - given)
  }
  return pending
}

/** Approvals by deployment, in the order of their ids. */
export async function findApprovals(
  database: Database,
  deploymentIds: number[],
): Promise<Map<number, DeploymentApprovalRow[]>> {
  if (deploymentIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('deployment_approval')
    .selectAll()
    .where('deployment_id', 'in', deploymentIds)
    .orderBy('id')
    .execute()
  return groupBy(rows, ({ deployment_id: id }) => id)
}
