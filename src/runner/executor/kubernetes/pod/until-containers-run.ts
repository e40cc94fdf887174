import type { V1Pod } from '@kubernetes/client-node'

import { linkSignals } from '../../../../lib/link-signals.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { JobLog } from '../../../trace/job-log.js'
import { ExecutorError } from '../../executor.js'
import type { Cluster } from '../cluster/cluster.js'
import { findWaiting, plainMessage, podTitle } from './container-states.js'
import type { FollowedPod } from './followed-pod.js'
import { haveAllBegun } from './pod-failures.js'
import { PullAttempts } from './pull-attempts.js'
import { StartReport } from './start-report.js'

export interface StartOptions {
  cluster: Pick<Cluster, 'followWarnings'>
  pod: FollowedPod
  log: Pick<JobLog, 'plain'>
  /** Whether the log has the warnings of the cluster (`print_pod_warning_events`). */
  hasWarnings: boolean
  /** Seconds from now until the containers must run. */
  timeoutSeconds: number
  /** See `PullAttempts`. */
  hasNewSecret: boolean
  signal: AbortSignal
}

/**
 * Waits until all containers of a new pod run, and writes what the cluster says about it into the log, each sentence
 * once. Throws an `ExecutorError` if the pod fails or takes too long, a `PullError` for an image, and the reason of the
 * signal.
 */
export async function untilContainersRun({
  cluster,
  pod,
  log,
  hasWarnings,
  timeoutSeconds,
  hasNewSecret,
  signal,
}: StartOptions): Promise<void> {
  const pulls = new PullAttempts(hasNewSecret)
  const report = new StartReport({ log, hasReasons: hasWarnings, hasNewSecret })
  const tooLong = new AbortController()
  const limit = linkSignals(signal, tooLong.signal)
  const timer = setTimeout(
    () => tooLong.abort(startTimeout(pod.state, timeoutSeconds, pulls, report)),
    timeoutSeconds * 1000,
  )
  const unfollow = hasWarnings ? followWarnings(cluster, pod.state, report) : () => undefined
  try {
    for (;;) {
      report.recordState(pod.state)
      pod.scriptsLost.throwIfAborted()
      pulls.record(pod.state)
      if (haveAllBegun(pod.state)) return
      await pod.nextChange(limit.signal)
    }
  } finally {
    unfollow()
    clearTimeout(timer)
    limit.release()
  }
}

function followWarnings(
  cluster: Pick<Cluster, 'followWarnings'>,
  { metadata }: V1Pod,
  report: StartReport,
): () => void {
  const { namespace = '', uid = '' } = metadata ?? {}
  return cluster.followWarnings(namespace, uid, (event) => report.recordWarning(event))
}

function startTimeout(pod: V1Pod, seconds: number, pulls: PullAttempts, report: StartReport): ExecutorError {
  const unscheduled = pod.status?.conditions?.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  )
  const head = `The pod ${podTitle(pod)}`
  const remedy = 'The setting "poll_timeout" limits this time.'
  if (unscheduled) {
    const why = plainMessage(unscheduled.message).replace(/\.$/, '')
    return failure(`${head} got no node within ${seconds} s: ${why}. ${remedy}`)
  }
  const failedPulls = pulls.describe()
  const reasons = [...failedPulls, ...report.describe(), ...describeWaiting(pod)]
  const why = reasons.length === 0 ? 'the node has not started its containers' : reasons.join('; ')
  return failure(
    `${head} did not run within ${seconds} s: ${why}. ${remedy}`,
    failedPulls.length > 0 ? 'image_pull_failure' : undefined,
  )
}

function describeWaiting(pod: V1Pod): string[] {
  return findWaiting(pod).map(({ container, waiting: { reason = '', message } }) => {
    const words = [reason, plainMessage(message)].filter((part) => part !== '').join(': ')
    return `the container "${container}" waits (${words})`
  })
}

function failure(message: string, reason: FailureReason = 'runner_system_failure'): ExecutorError {
  return new ExecutorError(message, reason)
}
