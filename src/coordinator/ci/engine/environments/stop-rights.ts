import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { EnvironmentRow } from '../deployments/environment-store.js'
import { mayDeployTo, NOT_A_DEPLOYER } from '../deployments/protection/may-deploy.js'
import type { EngineDeps } from '../engine-deps.js'
import { refusalToPlay, storedRunOf } from '../permissions/refusal-to-run-on.js'
import { findPipelineOfProject, findProject } from '../pipeline-store.js'

/** The user on whose behalf an environment is stopped, and the reason if this user may not. */
export interface StopRights {
  userId: number | undefined
  /** The reason why the user may not run the stop jobs, which are in the pipeline of the last deployment. */
  refusal: string | undefined
  /** The reason why the user may not stop the environment at all, with or without jobs. */
  environmentRefusal?: string
}

/** The action when an environment is stopped. */
export type StopDecision =
  | { kind: 'run'; jobs: JobRow[]; userId: number }
  /** No job has to run: the environment is stopped immediately. */
  | { kind: 'mark-stopped' }
  /** The environment is unchanged. */
  | { kind: 'refuse'; message: string }

const NOBODY = 'The user on whose behalf the environment would be stopped no longer exists'

/**
 * Reads the permissions of a user for the stop jobs of an environment. Every path to a stop job checks them,
 * so that a job on a protected ref runs only for users who may run jobs there. Pass the transaction that stops the
 * environment as `database`.
 */
export async function stopRightsOf(
  deps: Pick<EngineDeps, 'database' | 'outside'>,
  environment: Pick<EnvironmentRow, 'project_id' | 'name' | 'tier'>,
  pipelineId: number | undefined,
  userId: number | null,
): Promise<StopRights> {
  const user =
    userId === null
      ? undefined
      : await deps.database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  if (!user) return { userId: undefined, refusal: NOBODY }
  const project = await findProject(deps.database, environment.project_id)
  if (!(await mayDeployTo(deps, deps.database, { user, project }, environment))) {
    return { userId: user.id, refusal: NOT_A_DEPLOYER, environmentRefusal: NOT_A_DEPLOYER }
  }
  if (pipelineId === undefined) return { userId: user.id, refusal: undefined }
  const pipeline = await findPipelineOfProject(deps.database, project.id, pipelineId)
  // Deleting the pipeline deletes its jobs.
  if (!pipeline) return { userId: user.id, refusal: undefined }
  const refusal = await refusalToPlay(deps, { project, user }, storedRunOf(pipeline))
  return { userId: user.id, refusal: refusal?.message }
}

/** `jobs` are the stop jobs of the environment; empty if none should run. */
export function decideStop(
  { userId, refusal, environmentRefusal }: StopRights,
  jobs: JobRow[],
): StopDecision {
  if (environmentRefusal !== undefined) return { kind: 'refuse', message: environmentRefusal }
  if (jobs.length === 0) return { kind: 'mark-stopped' }
  if (refusal !== undefined) return { kind: 'refuse', message: refusal }
  if (userId === undefined) return { kind: 'refuse', message: NOBODY }
  return { kind: 'run', jobs, userId }
}
