import type { EngineDeps } from '../engine-deps.js'
import { stopEnvironment } from './stop-environment.js'

/**
 * Stops environments whose last deployment came from a job on a deleted branch (CI language, 15.3), on behalf
 * of the user who deleted it. Environments that this user may not stop are unchanged. Deployments without a
 * job do not count, because users may record them for any branch.
 */
export async function stopEnvironmentsOfBranch(
  deps: EngineDeps,
  { projectId, branch, userId }: { projectId: number; branch: string; userId: number },
): Promise<void> {
  for (const id of await findEnvironmentsOfBranch(deps, projectId, branch)) {
    const outcome = await stopEnvironment(deps, id, { userId, onlyIf: ({ state }) => state === 'available' })
    if (outcome.kind !== 'refused') continue
    deps.logger.info(
      { environment: id, user: userId, reason: outcome.message },
      'An environment of a deleted branch is not stopped: the user may not run its stop jobs',
    )
  }
}

async function findEnvironmentsOfBranch(
  { database }: EngineDeps,
  projectId: number,
  branch: string,
): Promise<number[]> {
  const rows = await database
    .selectFrom('environment')
    .innerJoin('deployment', 'deployment.environment_id', 'environment.id')
    .select('environment.id')
    .where('environment.project_id', '=', projectId)
    .where('environment.state', '=', 'available')
    .where('deployment.ref', '=', branch)
    .where('deployment.tag', '=', false)
    .where('deployment.job_id', 'is not', null)
    .where('deployment.id', '=', ({ selectFrom }) =>
      selectFrom('deployment as last')
        .select('last.id')
        .whereRef('last.environment_id', '=', 'environment.id')
        .where('last.status', '=', 'success')
        .where('last.job_id', 'is not', null)
        .orderBy('last.finished_at', 'desc')
        .orderBy('last.id', 'desc')
        .limit(1),
    )
    .orderBy('environment.id')
    .execute()
  return rows.map(({ id }) => id)
}
