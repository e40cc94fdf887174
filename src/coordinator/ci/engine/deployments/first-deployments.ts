import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../../database/connect.js'

/**
 * Times, in milliseconds since 1970, at which merge requests were first deployed to an environment of the tier
 * `production`, by the ID of the merge request. One that was not deployed there is left out. `condition` on the table
 * `project` says which projects count; all by default.
 */
export async function firstDeployments(
  database: Database,
  mergeRequestIds: readonly number[],
  condition: () => RawBuilder<SqlBool> = () => sql<SqlBool>`true`,
): Promise<Map<number, number>> {
  if (mergeRequestIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('deployment_merge_request')
    .innerJoin('environment', 'environment.id', 'deployment_merge_request.environment_id')
    .innerJoin('project', 'project.id', 'environment.project_id')
    .select(['deployment_merge_request.merge_request_id as id'])
    .select(({ fn }) => fn.min('deployment_merge_request.finished_at').as('first'))
    .where('deployment_merge_request.merge_request_id', 'in', mergeRequestIds)
    .where('environment.tier', '=', 'production')
    .where(condition)
    .groupBy('deployment_merge_request.merge_request_id')
    .execute()
  return new Map(rows.map(({ id, first }) => [id, first]))
}
