import type { Database } from '../../database/connect.js'
import { containsText } from '../../database/text.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { DeploymentRow } from '../engine/deployments/deployment-store.js'
import type { EnvironmentRow } from '../engine/deployments/environment-store.js'
import type { EnvironmentFilters } from './schema.js'

/** In a list of environments. */
const MAX_UPCOMING = 200

export async function listEnvironments(
  database: Database,
  projectId: number,
  { name, search, states }: EnvironmentFilters,
  paging: Paging,
): Promise<Rows<EnvironmentRow>> {
  let environments = database.selectFrom('environment').where('project_id', '=', projectId)
  if (name !== undefined) environments = environments.where('name', '=', name)
  if (search !== undefined) environments = environments.where(({ ref }) => containsText(ref('name'), search))
  if (states !== undefined) environments = environments.where('state', '=', states)
  return listRows(database, environments, paging, { table: 'environment', column: 'id', direction: 'asc' })
}

/** The deployment to each environment that succeeded last. */
export function findLastDeployments(database: Database, environmentIds: number[]): Promise<DeploymentRow[]> {
  return database
    .selectFrom('environment')
    .innerJoin('deployment', (join) =>
      join.on(({ eb, ref, selectFrom }) =>
        eb(
          'deployment.id',
          '=',
          selectFrom('deployment as last')
            .select('last.id')
            .where('last.environment_id', '=', ref('environment.id'))
            .where('last.status', '=', 'success')
            .orderBy('last.finished_at', 'desc')
            .orderBy('last.id', 'desc')
            .limit(1),
        ),
      ),
    )
    .selectAll('deployment')
    .where('environment.id', 'in', environmentIds)
    .execute()
}

/** Deployments to environments that run or wait for approval, the oldest first. */
export function findUpcomingDeployments(
  database: Database,
  environmentIds: number[],
): Promise<DeploymentRow[]> {
  return database
    .selectFrom('deployment')
    .selectAll()
    .where('environment_id', 'in', environmentIds)
    .where('status', 'in', ['running', 'blocked'])
    .orderBy('id')
    .limit(MAX_UPCOMING)
    .execute()
}

export function findEnvironmentOf(
  database: Database,
  projectId: number,
  id: number,
): Promise<EnvironmentRow | undefined> {
  return database
    .selectFrom('environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Available environments without changes or deployments since `before`. */
export function findStale(database: Database, projectId: number, before: number): Promise<EnvironmentRow[]> {
  return database
    .selectFrom('environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'available')
    .where('updated_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deployment')
            .select('deployment.id')
            .whereRef('deployment.environment_id', '=', 'environment.id')
            .where('deployment.created_at', '>=', before),
        ),
      ),
    )
    .orderBy('id')
    .execute()
}

/** Stopped environments whose name starts with `review/` that were created before this time, oldest first. */
export function findStoppedReviewApps(
  database: Database,
  projectId: number,
  before: number,
  limit: number,
): Promise<EnvironmentRow[]> {
  return database
    .selectFrom('environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'stopped')
    .where('name', 'like', 'review/%')
    .where('created_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
}
