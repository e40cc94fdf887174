import type { Database } from '../../../../database/connect.js'
import type { ProjectRow, UserRow } from '../../../../database/tables/pipeline-rows.js'
import { apiError } from '../../../../http/errors.js'
import type { EngineDeps } from '../../engine-deps.js'
import { findProtections, type ProtectableEnvironment, protecting } from './find-protections.js'
import { isDeployer, readCandidate } from './fits-entry.js'

export const NOT_A_DEPLOYER = 'The environment is protected, and you are not among its deployers'

/**
 * Whether a user may deploy to an environment, stop it, change it or delete it. True for an environment that no rule
 * protects. `database` may be a transaction.
 */
export async function mayDeployTo(
  deps: Pick<EngineDeps, 'outside'>,
  database: Database,
  { user, project }: { user: UserRow; project: ProjectRow },
  environment: ProtectableEnvironment,
): Promise<boolean> {
  const protections = protecting(await findProtections(database, project.id), environment)
  if (protections.length === 0) return true
  return isDeployer(await readCandidate(deps, database, user, project), protections)
}

/** Throws 403 if the environment is protected and the user may not deploy to it. */
export async function checkDeployer(
  engine: EngineDeps,
  project: ProjectRow,
  user: UserRow,
  environment: ProtectableEnvironment,
): Promise<void> {
  if (await mayDeployTo(engine, engine.database, { user, project }, environment)) return
  throw apiError('not_a_deployer')
}
