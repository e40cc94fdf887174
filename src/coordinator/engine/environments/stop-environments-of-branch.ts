import type { EngineDeps } from '../engine-deps.js'
import { stopEnvironment } from './stop-environment.js'

/** Stops what was deployed last from a branch that is gone (CI language, 15.3). */
export async function stopEnvironmentsOfBranch(
  deps: EngineDeps,
  { projectId, branch, userId }: { projectId: number; branch: string; userId: number },
): Promise<void> {
  for (const id of await findEnvironmentsOfBranch(deps, projectId, branch)) {
    await stopEnvironment(deps, id, { userId, onlyIf: ({ state }) => state === 'available' })
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
    .where('deployment.id', '=', ({ selectFrom }) =>
      selectFrom('deployment as last')
        .select('last.id')
        .whereRef('last.environment_id', '=', 'environment.id')
        .where('last.status', '=', 'success')
        .orderBy('last.finished_at', 'desc')
        .orderBy('last.id', 'desc')
        .limit(1),
    )
    .orderBy('environment.id')
    .execute()
  return rows.map(({ id }) => id)
}
