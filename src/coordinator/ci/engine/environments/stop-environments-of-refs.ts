import type { Database } from '../../../database/connect.js'
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
  const ofBranch = (database: Database) =>
    deployedLast(database)
      .where('environment.project_id', '=', projectId)
      .where('deployment.ref', '=', branch)
      .where('deployment.tag', '=', false)
  await stopEnvironments(deps, ofBranch, userId)
}

/**
 * Stops environments whose last deployment came from a pipeline of a merge request that was merged or closed, in
 * its target project or in the fork (CI language, 15.3), on behalf of the user who did so. Environments that this
 * user may not stop are unchanged, and so are all if the merge request is open again.
 */
export async function stopEnvironmentsOfMergeRequest(
  deps: EngineDeps,
  { mergeRequestId, userId }: { mergeRequestId: number; userId: number },
): Promise<void> {
  const ofMergeRequest = (database: Database) =>
    deployedLast(database)
      .innerJoin('job', 'job.id', 'deployment.job_id')
      .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
      .innerJoin('merge_request', 'merge_request.id', 'pipeline.merge_request_id')
      .where('merge_request.id', '=', mergeRequestId)
      .where('merge_request.state', 'in', ['merged', 'closed'])
  await stopEnvironments(deps, ofMergeRequest, userId)
}

/** Available environments, joined with their last deployment if a job made it. */
function deployedLast(database: Database) {
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

/** `query` selects the environments to stop. It runs again for each of them when it is stopped. */
async function stopEnvironments(
  deps: EngineDeps,
  query: (database: Database) => ReturnType<typeof deployedLast>,
  userId: number,
): Promise<void> {
  for (const { id } of await query(deps.database).execute()) {
    const outcome = await stopEnvironment(deps, id, {
      userId,
      onlyIf: async (_, tx) =>
        (await query(tx).where('environment.id', '=', id).executeTakeFirst()) !== undefined,
    })
    if (outcome.kind !== 'refused') continue
    deps.logger.info(
      { environment: id, user: userId, reason: outcome.message },
      'An environment of a deleted branch or a finished merge request is not stopped: the user may not run its stop jobs',
    )
  }
}
