import type { JobRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { APPROVAL_STATUSES } from '../../../database/tables/protected-environments.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { type DeploymentRow, updateDeployment } from '../deployments/deployment-store.js'
import { findEnvironment } from '../deployments/environment-store.js'
import {
  type ApprovalDemand,
  approvalDemands,
  approvalsFor,
  type DeploymentApprovalRow,
  findApprovals,
  pendingApprovals,
} from '../deployments/protection/approvals.js'
import { entryNames } from '../deployments/protection/entry-names.js'
import { findProtections, protecting } from '../deployments/protection/find-protections.js'
import { fitsEntry, isDeployer, readCandidate } from '../deployments/protection/fits-entry.js'
import { missingApprovals } from '../deployments/protection/missing-approvals.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { findPipeline, lockPipeline } from '../pipeline-store.js'

export interface Review {
  status: (typeof APPROVAL_STATUSES)[number]
  comment?: string | undefined
  /** Name of the user, group or role in the entry that the review counts towards. */
  representedAs?: string | undefined
}

export type ReviewOutcome =
  | { kind: 'reviewed'; approval: DeploymentApprovalRow }
  | { kind: 'refused'; reason: 'not-waiting' | 'not-allowed' | 'no-such-entry' | 'own'; message: string }

/**
 * Records a user's decision on a deployment that waits for approvals. With the last required approval, its
 * job can be played; a rejection fails the job. Each user has one decision, which a later one replaces.
 */
export async function reviewDeployment(
  deps: EngineDeps,
  { project, user }: { project: ProjectRow; user: UserRow },
  { id: deploymentId, job_id: jobId }: Pick<DeploymentRow, 'id' | 'job_id'>,
  review: Review,
): Promise<ReviewOutcome> {
  const job = jobId === null ? undefined : await findJob(deps.database, jobId)
  if (!job) return NOT_WAITING
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const waiting = await waitingDeployment(tx, deploymentId, job.id)
    if (!waiting) return NOT_WAITING
    const { deployment, current, demands } = waiting
    const approvals = (await findApprovals(tx, [deployment.id])).get(deployment.id) ?? []
    // Approvals may be missing again: a user was blocked, or the rules require more.
    const isComplete = (await missingApprovals(deps, tx, project, demands, approvals)) === 0
    if (deployment.status === 'created' && isComplete) return NOT_WAITING
    const others = approvals.filter(({ user_id }) => user_id !== user.id)
    const fitting = await demandsFor(deps, tx, { project, user }, demands)
    if (fitting.length === 0) return refused('not-allowed', NOT_AN_APPROVER)
    const demand = await chosen(tx, fitting, others, review.representedAs)
    if (!demand) return refused('no-such-entry', NO_SUCH_ENTRY)
    if (review.status === 'approved' && (await isOwn(tx, project, user, deployment, current))) {
      return refused('own', OWN_DEPLOYMENT)
    }
    const approval = await storeApproval(tx, deployment.id, user.id, demand, review)
    await follow(deps, tx, { project, deployment, job: current, demands, approvals: [...others, approval] })
    return { kind: 'reviewed', approval }
  })
}

const NOT_AN_APPROVER =
  'You may not approve or reject this deployment: no approval rule of the environment names you'
const NO_SUCH_ENTRY =
  'There is no approval rule for the given represented_as: name a user, group or role of a rule that applies to you'
const OWN_DEPLOYMENT =
  'You cannot approve a deployment that you have triggered, unless the project allows it (allow_pipeline_trigger_approve_deployment)'
const NOT_WAITING = refused('not-waiting', 'This deployment is not waiting for approvals')

function refused(reason: Extract<ReviewOutcome, { kind: 'refused' }>['reason'], message: string) {
  return { kind: 'refused', reason, message } as const
}

async function waitingDeployment(tx: Transaction, deploymentId: number, jobId: number) {
  const deployment = await tx
    .selectFrom('deployment')
    .selectAll()
    .where('id', '=', deploymentId)
    .executeTakeFirst()
  const current = await findJob(tx, jobId)
  const isWaiting = deployment?.status === 'blocked' || deployment?.status === 'created'
  if (!isWaiting || current?.status !== 'manual') return undefined
  const environment = await findEnvironment(tx, deployment.environment_id)
  if (!environment) return undefined
  const demands = approvalDemands(protecting(await findProtections(tx, deployment.project_id), environment))
  return demands.length === 0 ? undefined : { deployment, current, demands }
}

/** The demands to which the user may respond. */
async function demandsFor(
  deps: EngineDeps,
  tx: Transaction,
  { project, user }: { project: ProjectRow; user: UserRow },
  demands: ApprovalDemand[],
): Promise<ApprovalDemand[]> {
  const candidate = await readCandidate(deps, tx, user, project)
  return demands.filter(({ entry, protection }) =>
    entry ? fitsEntry(candidate, entry) : isDeployer(candidate, [protection]),
  )
}

/** The named one, or else the first that still needs an approval. */
async function chosen(
  tx: Transaction,
  fitting: ApprovalDemand[],
  approvals: DeploymentApprovalRow[],
  representedAs: string | undefined,
): Promise<ApprovalDemand | undefined> {
  if (representedAs === undefined) {
    return fitting.find((demand) => pendingApprovals([demand], approvals) > 0) ?? fitting[0]
  }
  const names = await entryNames(
    tx,
    fitting.flatMap(({ entry }) => entry ?? []),
  )
  return fitting.find(({ entry }) => entry && names.get(entry.id) === representedAs)
}

/** Whether the user created the pipeline, the job or the deployment. */
async function isOwn(
  tx: Transaction,
  project: ProjectRow,
  user: UserRow,
  deployment: DeploymentRow,
  job: JobRow,
): Promise<boolean> {
  if (project.allow_pipeline_trigger_approve_deployment) return false
  const pipeline = await findPipeline(tx, job.pipeline_id)
  return [pipeline.user_id, job.user_id, deployment.user_id].includes(user.id)
}

function storeApproval(
  tx: Transaction,
  deployment_id: number,
  user_id: number,
  { entry }: ApprovalDemand,
  { status, comment = null }: { status: Review['status']; comment?: string | null | undefined },
): Promise<DeploymentApprovalRow> {
  const values = {
    status,
    comment,
    entry_id: entry?.id ?? null,
    is_of_deployer: entry === undefined,
    created_at: Date.now(),
  }
  return tx
    .insertInto('deployment_approval')
    .values({ deployment_id, user_id, ...values })
    .onConflict((conflict) => conflict.columns(['deployment_id', 'user_id']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function follow(
  deps: EngineDeps,
  tx: Transaction,
  what: {
    project: ProjectRow
    deployment: DeploymentRow
    job: JobRow
    demands: ApprovalDemand[]
    approvals: DeploymentApprovalRow[]
  },
): Promise<void> {
  const { project, deployment, job, demands, approvals } = what
  const isRejected = demands.some((demand) =>
    approvalsFor(demand, approvals).some(({ status }) => status === 'rejected'),
  )
  if (isRejected) {
    await endJob(deps, tx, job, { status: 'failed', failure_reason: 'deployment_rejected' })
    await advancePipeline(deps, tx, job.pipeline_id)
  } else if ((await missingApprovals(deps, tx, project, demands, approvals)) === 0) {
    await updateDeployment(tx, deployment.id, { status: 'created', approved_at: Date.now() })
  }
}
