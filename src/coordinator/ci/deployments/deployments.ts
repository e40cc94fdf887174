import { isEnvironmentName, WRONG_NAME } from '../../../ci-config/environment-name.js'
import type { Project, User } from '../../access/caller.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { type ApiError, apiError, invalidRecord, notFound } from '../../http/errors.js'
import { changeAtTheEnd } from '../engine/deployments/after-job.js'
import { isFinishedDeployment } from '../engine/deployments/deployment-status.js'
import {
  deleteDeploymentRow,
  type DeploymentRow,
  findLastDeployment,
  insertDeployment,
  nextDeploymentIid,
  updateDeployment,
} from '../engine/deployments/deployment-store.js'
import { ensureEnvironment, tierFor } from '../engine/deployments/ensure-environments.js'
import { environmentIds, findEnvironment } from '../engine/deployments/environment-store.js'
import type { ProtectableEnvironment } from '../engine/deployments/protection/find-protections.js'
import { checkDeployer } from '../engine/deployments/protection/may-deploy.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import type { EditDeployment, NewDeployment } from './schema.js'
import { findDeployment } from './store.js'

/** Throws 404. */
export async function requireDeployment(
  { database }: EngineDeps,
  project: Project,
  id: number,
): Promise<DeploymentRow> {
  const deployment = await findDeployment(database, project.id, id)
  if (!deployment) throw notFound()
  return deployment
}

/** Creates a deployment that no job made. Creates the environment if it does not exist. */
export async function createDeployment(
  engine: EngineDeps,
  project: Project,
  user: User,
  { environment: name, sha: revision, ref, tag, status }: NewDeployment,
): Promise<DeploymentRow> {
  if (!isEnvironmentName(name)) throw invalidRecord({ 'environment.name': [WRONG_NAME] })
  const sha = await engine.repositories.resolveCommit(project.id, revision)
  if (sha === undefined) throw invalidRecord({ sha: ['The commit does not exist'] })
  if ((await engine.repositories.resolveCommit(project.id, ref)) === undefined) {
    throw invalidRecord({ ref: ['The branch or tag does not exist'] })
  }
  await checkDeployer(engine, project, user, await environmentNamed(engine, project, name))
  return inTransaction(engine.database, async (tx) => {
    const environmentId = await ensureEnvironment(tx, { projectId: project.id, userId: user.id }, name)
    if (environmentId === undefined) throw invalidRecord({ 'environment.slug': ['has already been taken'] })
    const now = Date.now()
    const deployment = await insertDeployment(tx, {
      ref,
      tag,
      sha,
      status,
      environment_id: environmentId,
      project_id: project.id,
      user_id: user.id,
      created_at: now,
      updated_at: now,
      iid: await nextDeploymentIid(tx, project.id),
      finished_at: isFinishedDeployment(status) ? now : null,
    })
    recordSuccess(engine, tx, deployment)
    return deployment
  })
}

/**
 * Throws 403 for the deployment of a job, which only the job can change, and 400 for an invalid transition
 * (API, A16).
 */
export async function moveDeployment(
  engine: EngineDeps,
  project: Project,
  user: User,
  { deployment_id, status }: EditDeployment,
): Promise<DeploymentRow> {
  const found = await requireDeployment(engine, project, deployment_id)
  await checkDeployer(engine, project, user, await environmentOf(engine, found))
  if (found.job_id !== null) throw apiError('deployment_of_job')
  return inTransaction(engine.database, async (tx) => {
    const current = await findDeployment(tx, project.id, found.id)
    if (!current) throw notFound()
    if (current.status === status) return current
    if (!mayMove(current.status, status)) throw noSuchMove(current.status, status)
    const finished = isFinishedDeployment(status) ? { finished_at: Date.now() } : {}
    const moved = await updateDeployment(tx, current.id, { status, ...finished })
    if (!moved) throw notFound()
    recordSuccess(engine, tx, moved)
    return moved
  })
}

/** Throws 400 for a running deployment and for the current one of the environment. */
export async function deleteDeployment(
  engine: EngineDeps,
  project: Project,
  user: User,
  id: number,
): Promise<void> {
  const deployment = await requireDeployment(engine, project, id)
  await checkDeployer(engine, project, user, await environmentOf(engine, deployment))
  if (deployment.status === 'running') throw apiError('deployment_running')
  const last = await findLastDeployment(engine.database, deployment.environment_id)
  if (last?.id === deployment.id) throw apiError('deployment_is_latest')
  await deleteDeploymentRow(engine.database, deployment.id)
}

/** The existing environment, or the one that the deployment would create. */
async function environmentNamed(
  { database }: EngineDeps,
  project: Project,
  name: string,
): Promise<ProtectableEnvironment> {
  const [id] = (await environmentIds(database, project.id, [name])).values()
  const known = id === undefined ? undefined : await findEnvironment(database, id)
  return known ?? { name, tier: tierFor({ name }) ?? 'other' }
}

/** Throws 404. */
async function environmentOf(
  { database }: EngineDeps,
  { environment_id }: DeploymentRow,
): Promise<ProtectableEnvironment> {
  const environment = await findEnvironment(database, environment_id)
  if (!environment) throw notFound()
  return environment
}

function mayMove(from: DeploymentRow['status'], to: DeploymentRow['status']): boolean {
  return !isFinishedDeployment(from) && to !== 'created'
}

function noSuchMove(from: string, to: string): ApiError {
  return apiError('deployment_status_final', { from, to })
}

function recordSuccess(engine: EngineDeps, tx: Transaction, deployment: DeploymentRow): void {
  if (deployment.status !== 'success') return
  changeAtTheEnd(engine, tx, deployment.environment_id, () => ({ state: 'available' }))
}
