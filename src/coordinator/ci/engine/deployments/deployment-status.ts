import type { DeploymentStatus } from '../../../database/tables/environments.js'
import type { JobStatus } from '../../../database/tables/job-columns.js'

const FOLLOWED: Partial<Record<JobStatus, DeploymentStatus>> = {
  created: 'created',
  manual: 'blocked',
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
}

/** The status of a deployment for the status of its job; undefined = unchanged (CI language, 15.2). */
export function deploymentStatusOf(job: JobStatus): DeploymentStatus | undefined {
  return FOLLOWED[job]
}

/** Ended by running or by being stopped. */
export const FINISHED_DEPLOYMENTS = ['success', 'failed', 'canceled'] as const satisfies DeploymentStatus[]

export function isFinishedDeployment(status: DeploymentStatus): boolean {
  return FINISHED_DEPLOYMENTS.some((finished) => finished === status)
}
