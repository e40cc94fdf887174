import { Type } from 'typebox'

import type { EngineDeps } from '../../engine/engine-deps.js'
import type { DeploymentRow } from '../../engine/environments/deployment-store.js'
import { notFound, unauthorized } from '../../http/errors.js'
import { NoBody, type Operation, operation, page, type User } from '../../http/operation.js'
import { Deployment } from '../../http/presenters/present-deployment.js'
import { createDeployment, moveDeployment, removeDeployment, theDeployment } from './deployments.js'
import { describeDeployments, type DescribeDeploymentsDeps } from './describe-deployments.js'
import { DeploymentFilters, DeploymentId, EditDeployment, NewDeployment } from './schema.js'
import { listDeployments } from './store.js'

export interface DeploymentDeps extends Omit<DescribeDeploymentsDeps, 'database'> {
  engine: EngineDeps
}

const ALL = '/projects/:id/deployments'
const ONE = `${ALL}/:deployment_id` as const

/** What was put into the environments of a project (API gaps, I8). */
export function deploymentOperations(deps: DeploymentDeps): Operation[] {
  return [...reading(deps), ...changing(deps)]
}

function reading(deps: DeploymentDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation(`GET ${ALL}`, {
      summary: 'List the deployments of a project',
      access: 'read_environments',
      jobToken: true,
      params: DeploymentFilters,
      answers: { 200: Type.Array(Deployment) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listDeployments(database, call.project.id, call.params, call.paging)
        return page(await describeDeployments({ ...deps, database }, rows), total)
      },
    }),
    operation(`GET ${ONE}`, {
      summary: 'Show a deployment',
      access: 'read_environments',
      jobToken: true,
      params: DeploymentId,
      answers: { 200: Deployment },
      run: async (call) => {
        return record(deps, await theDeployment(deps.engine, call.project, call.params.deployment_id))
      },
    }),
  ]
}

function changing(deps: DeploymentDeps): Operation[] {
  const { engine } = deps
  return [
    operation(`POST ${ALL}`, {
      summary: 'Tell of a deployment that no job here makes',
      access: 'manage_environments',
      jobToken: true,
      params: NewDeployment,
      answers: { 201: Deployment },
      run: async (call) => {
        return record(deps, await createDeployment(engine, call.project, actor(call.user), call.params))
      },
    }),
    operation(`PUT ${ONE}`, {
      summary: 'Tell what became of a deployment that no job here makes',
      access: 'manage_environments',
      jobToken: true,
      params: EditDeployment,
      answers: { 200: Deployment },
      run: async (call) => {
        return record(deps, await moveDeployment(engine, call.project, call.params))
      },
    }),
    operation(`DELETE ${ONE}`, {
      summary: 'Forget a deployment that is not in its environment any more',
      access: 'delete_deployments',
      params: DeploymentId,
      answers: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await theDeployment(engine, project, params.deployment_id)).updated_at,
      run: ({ project, params }) => removeDeployment(engine, project, params.deployment_id),
    }),
  ]
}

async function record(deps: DeploymentDeps, row: DeploymentRow): Promise<Deployment> {
  const [found] = await describeDeployments({ ...deps, database: deps.engine.database }, [row])
  if (!found) throw notFound()
  return found
}

/** Developers are users: nobody without a credential gets here. */
function actor(user: User | undefined): User {
  if (!user) throw unauthorized()
  return user
}
