import type { Database } from '../../database/connect.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { EnvironmentBrief } from '../../http/presenters/present-deployment.js'
import type { DeploymentRow } from '../engine/deployments/deployment-store.js'
import type { DeploymentFilters } from './schema.js'

export async function listDeployments(
  database: Database,
  projectId: number,
  filters: DeploymentFilters,
  paging: Paging,
): Promise<Rows<DeploymentRow>> {
  const { order_by: column = 'id', sort: direction = 'asc' } = filters
  const order = { table: 'deployment', column, direction } as const
  return listRows(database, filtered(database, projectId, filters), paging, order)
}

function filtered(database: Database, projectId: number, filters: DeploymentFilters) {
  const { environment, status } = filters
  let query = database.selectFrom('deployment').where('deployment.project_id', '=', projectId)
  if (environment !== undefined) {
    query = query.where(({ eb, selectFrom }) =>
      eb(
        'deployment.environment_id',
        'in',
        selectFrom('environment')
          .select('environment.id')
          .where('environment.project_id', '=', projectId)
          .where('environment.name', '=', environment),
      ),
    )
  }
  if (status !== undefined) query = query.where('deployment.status', '=', status)
  for (const column of ['updated', 'finished'] as const) {
    const [after, before] = [filters[`${column}_after`], filters[`${column}_before`]]
    if (after !== undefined) query = query.where(`deployment.${column}_at`, '>=', Date.parse(after))
    if (before !== undefined) query = query.where(`deployment.${column}_at`, '<=', Date.parse(before))
  }
  return query
}

export function findDeployment(
  database: Database,
  projectId: number,
  id: number,
): Promise<DeploymentRow | undefined> {
  return database
    .selectFrom('deployment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findEnvironments(database: Database, ids: number[]): Promise<EnvironmentBrief[]> {
  if (ids.length === 0) return []
  return database
    .selectFrom('environment')
    .select(['id', 'name', 'slug', 'external_url'])
    .where('id', 'in', ids)
    .execute()
}
