import { Type } from 'typebox'

import { apiError, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { Deployment, withJob } from '../../http/presenters/present-deployment.js'
import { signedIn } from '../../http/viewer.js'
import type { DeploymentRow } from '../engine/deployments/deployment-store.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { reviewDeployment, type ReviewOutcome } from '../engine/environments/review-deployment.js'
import { createDeployment, deleteDeployment, moveDeployment, requireDeployment } from './deployments.js'
import { describeApprovals, presentApproval } from './describe-approvals.js'
import { describeDeployments, type DescribeDeploymentsDeps } from './describe-deployments.js'
import {
  Approval,
  DeploymentFilters,
  DeploymentId,
  DeploymentWithApprovals,
  EditDeployment,
  NewDeployment,
  ReviewDeployment,
} from './schema.js'
import { listDeployments } from './store.js'

export interface DeploymentDeps extends Omit<DescribeDeploymentsDeps, 'database'> {
  engine: EngineDeps
}

/** Deployments to the environments of a project (API, I8). */
export function deploymentOperations(deps: DeploymentDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...approving(deps)]
}

function reading(deps: DeploymentDeps): Operation[] {
  const { database } = deps.engine
  const shown = withJob(Deployment, deps.jobs.schema)
  return [
    operation('GET /projects/:id/deployments', {
      summary: 'List project deployments',
      access: 'read_environments',
      jobToken: true,
      params: DeploymentFilters,
      responses: { 200: Type.Array(shown) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listDeployments(database, call.project.id, call.params, call.paging)
        return page(await describeDeployments({ ...deps, database }, rows), total)
      },
    }),
    operation('GET /projects/:id/deployments/:deployment_id', {
      summary: 'Get a deployment',
      access: 'read_environments',
      jobToken: true,
      params: DeploymentId,
      responses: { 200: withJob(DeploymentWithApprovals, deps.jobs.schema) },
      run: async (call) => {
        const row = await requireDeployment(deps.engine, call.project, call.params.deployment_id)
        const approvals = { database, outside: deps.engine.outside, externalUrl: deps.externalUrl }
        return { ...(await record(deps, row)), ...(await describeApprovals(approvals, row)) }
      },
    }),
  ]
}

function changing(deps: DeploymentDeps): Operation[] {
  const { engine } = deps
  const shown = withJob(Deployment, deps.jobs.schema)
  return [
    operation('POST /projects/:id/deployments', {
      summary: 'Create an external deployment',
      access: 'manage_environments',
      jobToken: true,
      params: NewDeployment,
      responses: { 201: shown },
      run: async (call) => {
        return record(deps, await createDeployment(engine, call.project, signedIn(call.user), call.params))
      },
    }),
    operation('PUT /projects/:id/deployments/:deployment_id', {
      summary: 'Update an external deployment',
      access: 'manage_environments',
      jobToken: true,
      params: EditDeployment,
      responses: { 200: shown },
      run: async (call) => {
        return record(deps, await moveDeployment(engine, call.project, signedIn(call.user), call.params))
      },
    }),
    operation('DELETE /projects/:id/deployments/:deployment_id', {
      summary: 'Delete a deployment that is no longer the latest one of its environment',
      access: 'delete_deployments',
      params: DeploymentId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireDeployment(engine, project, params.deployment_id)).updated_at,
      run: ({ project, params, user }) =>
        deleteDeployment(engine, project, signedIn(user), params.deployment_id),
    }),
  ]
}

function approving({ engine, externalUrl }: DeploymentDeps): Operation[] {
  return [
    operation('POST /projects/:id/deployments/:deployment_id/approval', {
      summary: 'Approve or reject a blocked deployment',
      access: 'manage_environments',
      params: ReviewDeployment,
      responses: { 201: Approval },
      run: async ({ project, user, params }) => {
        const deployment = await requireDeployment(engine, project, params.deployment_id)
        const { status, comment, represented_as: representedAs } = params
        const by = { project, user: signedIn(user) }
        const outcome = await reviewDeployment(engine, by, deployment, { status, comment, representedAs })
        if (outcome.kind === 'refused') throw refusalOf(outcome)
        return presentApproval(outcome.approval, by.user, externalUrl)
      },
    }),
  ]
}

function refusalOf({ reason, message }: Extract<ReviewOutcome, { kind: 'refused' }>): Error {
  const isForbidden = reason === 'not-allowed' || reason === 'own'
  return apiError(isForbidden ? 'deployment_review_forbidden' : 'deployment_review_refused', {
    reason: message,
  })
}

async function record(deps: DeploymentDeps, row: DeploymentRow): Promise<Deployment> {
  const [found] = await describeDeployments({ ...deps, database: deps.engine.database }, [row])
  if (!found) throw notFound()
  return found
}
