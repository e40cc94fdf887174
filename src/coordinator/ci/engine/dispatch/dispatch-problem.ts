import { whyReadOnly } from '../../../access/read-only.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { findOutdated } from '../deployments/deployment-store.js'
import { gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import {
  type DispatchProblem,
  missingIdentityProvider,
  missingRunnerFeature,
} from '../jobs/missing-capability.js'
import type { Candidate } from './candidate.js'
import { resolveDependencies } from './dependencies.js'
import { missingFeature } from './required-features.js'

/** The first reason why a pending job must fail instead of being dispatched (CI language, 14.3). */
export async function findDispatchProblem(
  deps: Pick<EngineDeps, 'secrets' | 'server' | 'repositories' | 'outside'>,
  tx: Transaction,
  candidate: Candidate,
  features: Record<string, unknown>,
): Promise<DispatchProblem | undefined> {
  const { job, project, user } = candidate
  const problem = await resolveDependencies(deps, tx, candidate)
  if (problem) return problem
  const feature = missingFeature(job.options, features)
  if (feature !== undefined) return missingRunnerFeature(feature)
  if (job.options.identity !== undefined) return missingIdentityProvider(job.options.identity)
  if (whyReadOnly(project) !== undefined) return { reason: 'archived_failure' }
  if (user.state !== 'active') return { reason: 'user_blocked' }
  if (await isOutdated(tx, job)) return { reason: 'failed_outdated_deployment_job' }
  // The last check: the job may have been enqueued by any path, and rules may have changed since.
  if ((await gateOf(deps, tx, job)) !== 'open') return { reason: 'protected_environment_failure' }
  return undefined
}

/** Newer code was deployed while the job waited for a runner or a resource (CI language, 15.4). */
async function isOutdated(tx: Transaction, { id, environment_action }: JobRow): Promise<boolean> {
  return environment_action === 'start' && (await findOutdated(tx, [id])).has(id)
}
