import type { V1Pod } from '@kubernetes/client-node'

import { linkSignals } from '../../../../lib/link-signals.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { JobLog } from '../../../trace/job-log.js'
import { ExecutorError } from '../../executor.js'
import { findWaiting, plainMessage, podTitle } from './container-states.js'
import type { FollowedPod } from './followed-pod.js'
import { haveAllBegun } from './pod-failures.js'
import { PullAttempts } from './pull-attempts.js'

export interface StartOptions {
  pod: FollowedPod
  log: Pick<JobLog, 'plain'>
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
  pod,
  log,
  timeoutSeconds,
  hasNewSecret,
  signal,
}: StartOptions): Promise<void> {
  const pulls = new PullAttempts(hasNewSecret)
  const written = new Set<string>()
  const tooLong = new AbortController()
  const limit = linkSignals(signal, tooLong.signal)
  const timer = setTimeout(
    () => tooLong.abort(startTimeout(pod.state, timeoutSeconds, pulls)),
    timeoutSeconds * 1000,
  )
  try {
    for (;;) {
      for (const line of describeStart(pod.state)) {
        if (!written.has(line)) log.plain(line)
        written.add(line)
      }
      pod.scriptsLost.throwIfAborted()
      pulls.record(pod.state)
      if (haveAllBegun(pod.state)) return
      await pod.nextChange(limit.signal)
    }
  } finally {
    clearTimeout(timer)
    limit.release()
  }
}

/** What keeps a pod from running, as lines for the log of its job. */
function describeStart(pod: V1Pod): string[] {
  if (haveAllBegun(pod)) return []
  const { phase = 'Pending', conditions = [] } = pod.status ?? {}
  const reasons = [
    ...conditions.filter(({ status }) => status === 'False'),
    ...findWaiting(pod).map(({ waiting }) => waiting),
  ]
  const sentences = reasons.flatMap(({ reason, message }) =>
    message === undefined || message === '' ? [] : [`\t${reason ?? ''}: "${plainMessage(message)}"`],
  )
  return [`Waiting for pod ${podTitle(pod)} to be running, status is ${phase}`, ...sentences]
}

function startTimeout(pod: V1Pod, seconds: number, pulls: PullAttempts): ExecutorError {
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
  const reasons = [...failedPulls, ...describeWaiting(pod)]
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
