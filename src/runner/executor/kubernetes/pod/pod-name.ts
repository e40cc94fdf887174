import { createHash } from 'node:crypto'

import { containerNamePrefix } from '../../docker/containers/container-name.js'
import type { ExecutorJob } from '../../executor.js'
import type { KubernetesExecutorSettings } from '../settings.js'

/** Names of pods are host names too. */
const MAX_LENGTH = 63
const DIGEST_LENGTH = 12

/**
 * The name of a pod. Each attempt of a job has its own. The same attempt always has the same name, so that a pod whose
 * creation was not confirmed is recognized.
 */
export function podName(
  job: Pick<ExecutorJob, 'jobId' | 'projectId' | 'concurrentProjectId'>,
  { runnerShortToken, systemId }: Pick<KubernetesExecutorSettings, 'runnerShortToken' | 'systemId'>,
  attempt: string,
): string {
  const prefix = containerNamePrefix(runnerShortToken, job.projectId, job.concurrentProjectId)
  const identity = [runnerShortToken, systemId, job.jobId, attempt].join(' ')
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, DIGEST_LENGTH)
  return `${prefix.slice(0, MAX_LENGTH - DIGEST_LENGTH - 1).replace(/-+$/, '')}-${digest}`
}
