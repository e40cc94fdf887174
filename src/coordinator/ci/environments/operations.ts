import { type TSchema, Type } from 'typebox'

import { apiError, invalidParameters } from '../../http/errors.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described, optional } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'
import { Deployment, withJob } from '../../http/presenters/present-deployment.js'
import { signedIn } from '../../http/viewer.js'
import { type DeploymentRow, findLastDeployment } from '../engine/deployments/deployment-store.js'
import type { EnvironmentRow } from '../engine/deployments/environment-store.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { describeProtection } from './describe-protection.js'
import {
  createEnvironment,
  deleteEnvironment,
  deleteReviewApps,
  editEnvironment,
  requireEnvironment,
  stop,
  stopStale,
} from './environments.js'
import { presentEnvironment } from './present.js'
import {
  DeleteReviewApps,
  EditEnvironment,
  Entries,
  Environment,
  EnvironmentFilters,
  EnvironmentId,
  EnvironmentSummary,
  type ListedEnvironment,
  NewEnvironment,
  ShowEnvironment,
  StopEnvironment,
  StopStale,
} from './schema.js'
import { findLastDeployments, findUpcomingDeployments, listEnvironments } from './store.js'

export interface EnvironmentDeps {
  engine: EngineDeps
  /** Public records of deployments, in the same order. */
  describeDeployments: (rows: DeploymentRow[]) => Promise<Deployment[]>
  /** The record of the job of a deployment. */
  jobSchema: TSchema
}

/** Shorter search texts match too much. */
const SHORTEST_SEARCH = 3

/** Environments of a project (API, I8). */
export function environmentOperations(deps: EnvironmentDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...stopping(deps), ...deleting(deps)]
}

function reading(deps: EnvironmentDeps): Operation[] {
  const { engine } = deps
  return [
    operation('GET /projects/:id/environments', {
      summary: 'List project environments',
      access: 'read_environments',
      jobToken: true,
      params: EnvironmentFilters,
      responses: { 200: Type.Array(listedEnvironment(deps)) },
      paginated: true,
      run: async (call) => {
        const { project, params, paging } = call
        checkFilters(params)
        const { rows, total } = await listEnvironments(engine.database, project.id, params, paging)
        const records = params.with_deployments
          ? await withDeployments(deps, rows)
          : rows.map(presentEnvironment)
        if (!params.with_details) return page(records, total)
        const details = await describeProtection(engine, call, rows)
        return page(
          records.map((listed, index) => ({ ...listed, ...details[index] })),
          total,
        )
      },
    }),
    operation('GET /projects/:id/environments/:environment_id', {
      summary: 'Get an environment with its last deployment',
      access: 'read_environments',
      jobToken: true,
      params: ShowEnvironment,
      responses: { 200: shownEnvironment(deps) },
      run: async (call) => {
        const { environment_id: id, with_details: withDetails } = call.params
        const row = await requireEnvironment(engine, call.project, id)
        const [details] = withDetails ? await describeProtection(engine, call, [row]) : []
        return { ...(await record(deps, row)), ...details }
      },
    }),
  ]
}

function changing(deps: EnvironmentDeps): Operation[] {
  const { engine } = deps
  return [
    operation('POST /projects/:id/environments', {
      summary: 'Create an environment',
      access: 'manage_environments',
      jobToken: true,
      params: NewEnvironment,
      responses: { 201: shownEnvironment(deps) },
      run: async (call) => {
        return record(deps, await createEnvironment(engine, call.project, call.params, signedIn(call.user)))
      },
    }),
    operation('PUT /projects/:id/environments/:environment_id', {
      summary: 'Update an environment',
      access: 'manage_environments',
      jobToken: true,
      params: EditEnvironment,
      changes: {
        attributes: ['name', 'description', 'external_url', 'tier', 'auto_stop_setting'],
        before: async ({ project, params }) =>
          presentEnvironment(await requireEnvironment(engine, project, params.environment_id)),
      },
      responses: { 200: shownEnvironment(deps) },
      run: async (call) => {
        return record(deps, await editEnvironment(engine, call.project, signedIn(call.user), call.params))
      },
    }),
  ]
}

function stopping(deps: EnvironmentDeps): Operation[] {
  const { engine } = deps
  return [
    operation('POST /projects/:id/environments/:environment_id/stop', {
      summary: 'Stop an environment; `force` skips its `on_stop` jobs',
      access: 'manage_environments',
      jobToken: true,
      params: StopEnvironment,
      responses: { 200: shownEnvironment(deps) },
      run: async (call) => {
        return record(deps, await stop(engine, call.project, signedIn(call.user), call.params))
      },
    }),
    operation('POST /projects/:id/environments/stop_stale', {
      summary: 'Stop environments without deployments or changes since a given time',
      access: 'stop_stale_environments',
      params: StopStale,
      responses: {
        200: Type.Object({
          message: described(Type.String(), 'Result of the request.'),
          ...Entries.properties,
        }),
      },
      run: async ({ project, params, user }) => ({
        message: '200 OK',
        ...(await stopStale(engine, project, signedIn(user), params.before)),
      }),
    }),
  ]
}

function deleting({ engine }: EnvironmentDeps): Operation[] {
  return [
    operation('DELETE /projects/:id/environments/review_apps', {
      summary: 'Delete stopped review environments; a dry run by default',
      access: 'manage_environments',
      params: DeleteReviewApps,
      responses: { 200: Entries },
      run: ({ project, params, user }) => deleteReviewApps(engine, project, signedIn(user), params),
    }),
    operation('DELETE /projects/:id/environments/:environment_id', {
      summary: 'Delete an environment',
      access: 'manage_environments',
      jobToken: true,
      params: EnvironmentId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireEnvironment(engine, project, params.environment_id)).updated_at,
      run: (call) => {
        return deleteEnvironment(engine, call.project, signedIn(call.user), call.params.environment_id)
      },
    }),
  ]
}

function checkFilters({ name, search }: { name?: string; search?: string }): void {
  if (name !== undefined && search !== undefined) {
    throw invalidParameters('name, search cannot be used together')
  }
  if (search !== undefined && search.length < SHORTEST_SEARCH) {
    throw apiError('environment_search_too_short', { min: SHORTEST_SEARCH })
  }
}

async function record(
  { engine, describeDeployments }: EnvironmentDeps,
  row: EnvironmentRow,
): Promise<Environment> {
  const last = await findLastDeployment(engine.database, row.id)
  const [last_deployment = null] = last ? await describeDeployments([last]) : []
  return { ...presentEnvironment(row), last_deployment }
}

/** Environments with their deployments. The number of queries does not depend on the number of environments. */
async function withDeployments(
  { engine: { database }, describeDeployments }: EnvironmentDeps,
  rows: EnvironmentRow[],
): Promise<ListedEnvironment[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const last = await describeDeployments(await findLastDeployments(database, ids))
  const upcoming = await describeDeployments(await findUpcomingDeployments(database, ids))
  return rows.map((row) => ({
    ...presentEnvironment(row),
    last_deployment: last.find(({ environment }) => environment.id === row.id) ?? null,
    upcoming_deployments: upcoming.filter(({ environment }) => environment.id === row.id),
  }))
}

/** The record of an environment in a list, with the jobs of its deployments. */
function listedEnvironment({ jobSchema }: EnvironmentDeps) {
  const deployment = withJob(Deployment, jobSchema)
  return Type.Object({
    ...EnvironmentSummary.properties,
    last_deployment: optional(
      Nullable(deployment),
      'Last successful deployment; null if there is none. Only with `with_deployments`.',
    ),
    upcoming_deployments: optional(
      Type.Array(deployment),
      'Deployments that run or wait for approval, the oldest first. Only with `with_deployments`.',
    ),
  })
}

/** The record of one environment, with the job of its last deployment. */
function shownEnvironment({ jobSchema }: EnvironmentDeps) {
  const { last_deployment: _, ...fields } = Environment.properties
  return Type.Object({
    ...fields,
    last_deployment: described(
      Nullable(withJob(Deployment, jobSchema)),
      'Last successful deployment; null if there is none.',
    ),
  })
}
