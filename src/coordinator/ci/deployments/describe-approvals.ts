import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { DeploymentRow } from '../engine/deployments/deployment-store.js'
import { findEnvironment } from '../engine/deployments/environment-store.js'
import {
  approvalDemands,
  approvalsFor,
  type DeploymentApprovalRow,
  findApprovals,
  pendingApprovals,
} from '../engine/deployments/protection/approvals.js'
import { entryNames } from '../engine/deployments/protection/entry-names.js'
import { findProtections, protecting } from '../engine/deployments/protection/find-protections.js'
import { missingApprovals } from '../engine/deployments/protection/missing-approvals.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { findProject } from '../engine/pipeline-store.js'
import type { Approval, DeploymentApprovals } from './schema.js'

interface Deps extends Pick<EngineDeps, 'outside'> {
  database: Database
  externalUrl: string
}

/** The approvals that the environment requires of a deployment, and the decisions so far. */
export async function describeApprovals(
  deps: Deps,
  { id, project_id, environment_id, job_id, status }: DeploymentRow,
): Promise<DeploymentApprovals> {
  const { database, externalUrl } = deps
  const environment = await findEnvironment(database, environment_id)
  const protections = environment ? protecting(await findProtections(database, project_id), environment) : []
  // A deployment without a job is already complete when it is recorded.
  const demands = job_id === null ? [] : approvalDemands(protections)
  const approvals = (await findApprovals(database, [id])).get(id) ?? []
  const users = await usersById(
    database,
    approvals.flatMap(({ user_id }) => user_id ?? []),
  )
  const names = await entryNames(
    database,
    demands.flatMap(({ entry }) => entry ?? []),
  )
  const present = (row: DeploymentApprovalRow): Approval =>
    presentApproval(row, users.get(row.user_id ?? 0), externalUrl)
  const isWaiting = status === 'blocked' || status === 'created'
  return {
    // Counts them in the same way as the gate of the job: without those of users who may not approve any more.
    pending_approval_count: isWaiting
      ? await missingApprovals(deps, database, await findProject(database, project_id), demands, approvals)
      : pendingApprovals(demands, approvals),
    approvals: approvals.map(present),
    approval_summary: {
      rules: demands.map((demand) => ({
        id: demand.entry?.id ?? null,
        user_id: demand.entry?.user_id ?? null,
        group_id: demand.entry?.group_id ?? null,
        access_level: demand.entry?.access_level ?? null,
        access_level_description: names.get(demand.entry?.id ?? 0) ?? 'Deployers',
        required_approvals: demand.required,
        deployment_approvals: approvalsFor(demand, approvals).map(present),
      })),
    },
  }
}

export function presentApproval(
  { status, comment, created_at }: DeploymentApprovalRow,
  user: User | undefined,
  externalUrl: string,
): Approval {
  return {
    user: user ? presentUser(user, externalUrl) : null,
    status,
    comment,
    created_at: isoTime(created_at),
  }
}
