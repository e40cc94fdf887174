import type { FailureReason } from '../../../../protocol/failure-reason.js'

const NETWORK_WORDS = [
  'dial tcp',
  'connection refused',
  'no such host',
  'i/o timeout',
  'tls handshake',
  'client.timeout exceeded',
  'request canceled',
  'connection reset',
]

/** Messages of temporary failures other than network errors: the registry is busy, or broke off. */
const PASSING_WORDS = [
  'unexpected eof',
  'toomanyrequests',
  'too many requests',
  'bad gateway',
  'service unavailable',
  'gateway timeout',
  'internal server error',
]

const WRONG_NAME_WORDS = [
  'not found',
  'no such image',
  'manifest unknown',
  'name unknown',
  'does not exist',
  'invalid reference',
  'access denied',
  'access to the resource is denied',
  'unauthorized',
  'authentication required',
  'no basic auth credentials',
]

/** Maps the engine's message about a failed pull to a failure reason (runner protocol, 7.5). */
export function pullFailureReason(words: string): FailureReason {
  if (isNetworkTrouble(words)) return 'runner_external_dependency_failure'
  const text = words.toLowerCase()
  if (WRONG_NAME_WORDS.some((word) => text.includes(word))) return 'runner_configuration_error'
  return 'image_pull_failure'
}

/** Whether another attempt may succeed a little later. */
export function isPassing(words: string): boolean {
  const text = words.toLowerCase()
  return isNetworkTrouble(words) || PASSING_WORDS.some((word) => text.includes(word))
}

function isNetworkTrouble(words: string): boolean {
  const text = words.toLowerCase()
  return NETWORK_WORDS.some((word) => text.includes(word))
}
