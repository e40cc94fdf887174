import { connectionProblem, isDiskError } from '../../lib/network-errors.js'
import { retry } from '../../lib/retry.js'
import { S3UnavailableError } from '../../s3/errors.js'
import type { Transfer } from './cache-store.js'
import { CacheUnavailableError } from './errors.js'

/** Attempts for one request, including the first (runner protocol, 8). */
const ATTEMPTS = 3

/** Repeats `request` after an error that may be temporary. */
export async function withRetries<T>(
  transfer: Transfer,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timeout, retryDelay } = transfer
  return retry(() => request(AbortSignal.any([signal, AbortSignal.timeout(timeout)])), {
    attempts: ATTEMPTS,
    delay: retryDelay,
    maximumDelay: retryDelay,
    signal,
    isWorthRetrying: (error) => isTemporary(error) && !signal.aborted,
  })
}

function isTemporary(error: unknown): boolean {
  return error instanceof CacheUnavailableError || error instanceof S3UnavailableError
}

/** Runs a step of a transfer. Converts connection errors into `CacheUnavailableError`. */
export async function overNetwork<T>(what: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (isDiskError(error)) throw error
    throw new CacheUnavailableError(`${what} cannot be reached: ${reasonOf(error)}`, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  return isTimeout ? 'it took too long (CACHE_REQUEST_TIMEOUT)' : connectionProblem(error)
}
