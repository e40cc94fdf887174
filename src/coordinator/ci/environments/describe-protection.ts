import type { Project, User } from '../../access/caller.js'
import type { EnvironmentRow } from '../engine/deployments/environment-store.js'
import { findProtections, protecting } from '../engine/deployments/protection/find-protections.js'
import { isDeployer, readCandidate } from '../engine/deployments/protection/fits-entry.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import type { EnvironmentDetails } from './schema.js'

/**
 * Whether environments of a project are protected, and whether the caller may deploy to them, in the same order. The
 * number of queries does not depend on the number of environments.
 */
export async function describeProtection(
  engine: EngineDeps,
  { project, user }: { project: Project; user: User | undefined },
  environments: readonly EnvironmentRow[],
): Promise<EnvironmentDetails[]> {
  const { database } = engine
  const protections = await findProtections(database, project.id)
  const rulesOfEach = environments.map((environment) => protecting(protections, environment))
  const isNeeded = rulesOfEach.some((rules) => rules.length > 0)
  const candidate = isNeeded && user ? await readCandidate(engine, database, user, project) : undefined
  return rulesOfEach.map((rules) => ({
    protected: rules.length > 0,
    can_deploy: rules.length === 0 || (candidate !== undefined && isDeployer(candidate, rules)),
  }))
}
