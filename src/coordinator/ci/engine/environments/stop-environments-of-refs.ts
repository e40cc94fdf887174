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
  const environments = await deployedLast(deps)
    .where('environment.project_id', '=', projectId)
    .where('deployment.ref', '=', branch)
    .where('deployment.tag', '=', false)
    .execute()
  await stopEnvironments(deps, environments, userId)
}

/**
 * Stops environments whose last deployment came from a pipeline of a merge request that was merged or closed, in
 * its target project or in the fork (CI language, 15.3), on behalf of the user who did so. Environments that this
 * user may not stop are unchanged.
 */
export async function stopEnvironmentsOfMergeRequest(
  deps: EngineDeps,
  { mergeRequestId, userId }: { mergeRequestId: number; userId: number },
): Promise<void> {
  const environments = await deployedLast(deps)
    .innerJoin('job', 'job.id', 'deployment.job_id')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .where('pipeline.merge_request_id', '=', mergeRequestId)
    .execute()
  await stopEnvironments(deps, environments, userId)
}

/** Available environments, joined with their last deployment if a job made it. */
function deployedLast({ database }: EngineDeps) {
  return database
    .selectFrom('environment')
    .innerJoin('deployment', 'deployment.environment_id', 'environment.id')
    .select('environment.id')
    .where('environment.state', '=', 'available')
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
}

async function stopEnvironments(
  deps: EngineDeps,
  environments: { id: number }[],
  userId: number,
): Promise<void> {
  for (const { id } of environments) {
    const outcome = await stopEnvironment(deps, id, { userId, onlyIf: ({ state }) => state === 'available' })
    if (outcome.kind !== 'refused') continue
    deps.logger.info(
      { environment: id, user: userId, reason: outcome.message },
      'An environment of a deleted branch or a finished merge request is not stopped: the user may not run its stop jobs',
    )
  }
}
