import { messageOf } from '../../../lib/errors.js'
import type { FailureReason } from '../../../protocol/failure-reason.js'
import { ExecutorError } from '../executor.js'
import { ClusterError } from './cluster/cluster.js'

interface Refusal {
  /** In the message of the API server. */
  text: RegExp
  /** What follows from it, as the beginning of a sentence about `doing`. */
  meaning: string
  remedy: string
  reason: FailureReason
}

/** Responses with the status 403, which the API server gives for different causes. The first that fits counts. */
const REFUSALS: Refusal[] = [
  {
    text: /exceeded quota/,
    meaning: 'The quota of the namespace is used up',
    remedy: 'Raise the ResourceQuota, or let the runner run fewer jobs at once.',
    reason: 'runner_system_failure',
  },
  {
    text: /failed quota: .*must specify/,
    meaning: 'The quota of the namespace needs requests and limits',
    remedy: 'Set them in the settings of the runner, such as "memory_limit" and "cpu_request".',
    reason: 'runner_configuration_error',
  },
  {
    text: /\bcannot \w+ resource\b/,
    meaning: 'The runner lacks a right',
    remedy: 'Run "switchyard runner check" for all rights that it lacks.',
    reason: 'runner_system_failure',
  },
  {
    text: /namespace \S+ because it is being terminated/,
    meaning: 'The namespace is being deleted',
    remedy: 'Set "namespace" of the runner to another one.',
    reason: 'runner_system_failure',
  },
  {
    text: /error looking up service account/,
    meaning: 'The service account does not exist',
    remedy: 'Create it, or correct "service_account".',
    reason: 'runner_configuration_error',
  },
  {
    text: /violates PodSecurity|maximum .* usage|minimum .* usage|admission webhook .* denied/,
    meaning: 'A rule of the cluster refuses the pod',
    remedy: 'Correct the settings of the runner, or the rule.',
    reason: 'runner_configuration_error',
  },
]

const FORBIDDEN = 403
const UNAUTHORIZED = 401
/** The API server does not accept the pod, whenever it is created. */
const WRONG_REQUESTS = [400, 404, 422]

/** Converts an error of the API into the failure of a job. `doing` completes "while …". */
export function clusterFailure(error: unknown, doing: string): ExecutorError {
  if (error instanceof ExecutorError) return error
  const cause = { cause: error }
  if (!(error instanceof ClusterError)) {
    return new ExecutorError(
      `The cluster failed while ${doing}: ${messageOf(error)}`,
      'runner_system_failure',
      cause,
    )
  }
  const { status, message } = error
  if (status === FORBIDDEN) {
    const refusal = REFUSALS.find(({ text }) => text.test(message))
    const { meaning, remedy, reason } = refusal ?? {
      meaning: 'The API server refuses the request',
      remedy: '',
      reason: 'runner_configuration_error',
    }
    return new ExecutorError(`${meaning} while ${doing}: ${message}. ${remedy}`.trimEnd(), reason, cause)
  }
  if (status === UNAUTHORIZED) {
    const text = `The API server does not accept the credentials of the runner while ${doing}: ${message}`
    return new ExecutorError(text, 'runner_system_failure', cause)
  }
  const failed = error.isAway && status === undefined ? 'does not respond' : 'failed'
  const reason = WRONG_REQUESTS.includes(status ?? 0) ? 'runner_configuration_error' : 'runner_system_failure'
  return new ExecutorError(`The Kubernetes API server ${failed} while ${doing}: ${message}`, reason, cause)
}

export function isAway(error: unknown): boolean {
  return error instanceof ClusterError && error.isAway
}
