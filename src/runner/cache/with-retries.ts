import { retry } from '../../lib/retry.js'
import { connectionProblem } from '../client/errors.js'
import type { Transfer } from './cache-store.js'
import { CacheUnavailableError } from './errors.js'

/** Attempts for one request, including the first (runner protocol, 8). */
const ATTEMPTS = 3

/** Repeats `request` after a `CacheUnavailableError`, which may be temporary. */
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
    isWorthRetrying: (error) => error instanceof CacheUnavailableError && !signal.aborted,
  })
}

/** Whether the same request may succeed a moment later. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Runs a step of a transfer. Converts connection errors into `CacheUnavailableError`. */
export async function overNetwork<T>(what: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (isFromDisk(error)) throw error
    throw new CacheUnavailableError(`${what} cannot be reached: ${reasonOf(error)}`, { cause: error })
  }
}

/** Errors of the local disk. Another attempt would not help. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'ENOENT', 'EACCES'])

function isFromDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_CODES.has(String(error.code))
}

function reasonOf(error: unknown): string {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  return isTimeout ? 'it took too long (CACHE_REQUEST_TIMEOUT)' : connectionProblem(error)
}
