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

/** Beside trouble of the network: a registry that is busy, or breaks off. */
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

/** What an engine's words about a failed pull mean to the coordinator (runner protocol, 7.5). */
export function pullFailureReason(words: string): FailureReason {
  if (isNetworkTrouble(words)) return 'runner_external_dependency_failure'
  const text = words.toLowerCase()
  if (WRONG_NAME_WORDS.some((word) => text.includes(word))) return 'runner_configuration_error'
  return 'image_pull_failure'
}

/** Worth another try a little later. */
export function isPassing(words: string): boolean {
  const text = words.toLowerCase()
  return isNetworkTrouble(words) || PASSING_WORDS.some((word) => text.includes(word))
}

function isNetworkTrouble(words: string): boolean {
  const text = words.toLowerCase()
  return NETWORK_WORDS.some((word) => text.includes(word))
}
