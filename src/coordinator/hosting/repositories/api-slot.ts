import { GitStoppedError } from '../../../git/errors.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { GitBusyError } from './errors.js'
import type { GitPool } from './git-semaphore.js'

/** A slot for git that an API call runs. */
export interface ApiSlot {
  projectId: number
  pool: GitPool
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** Source of slots for all repositories. */
interface SlotSource {
  acquireSlot: (projectId: number, pool: GitPool, signal: AbortSignal) => Promise<() => void>
}

/** Maximum wait of a caller for a slot, in milliseconds. */
const MAX_WAITING = 30_000

/**
 * Runs `work` in one slot. `work` runs one git process at a time and acquires no other slot. Throws 503 when too many
 * wait or no slot becomes free in time, and 499 when the client has disconnected.
 */
export async function withApiSlot<T>(
  repositories: SlotSource,
  { projectId, pool, signal }: ApiSlot,
  work: () => Promise<T>,
): Promise<T> {
  const acquireSlot = (until: AbortSignal) => repositories.acquireSlot(projectId, pool, until)
  const releaseSlot = await slotOf(
    { acquireSlot },
    AbortSignal.any([signal, AbortSignal.timeout(MAX_WAITING)]),
  )
  try {
    return await work()
  } catch (error) {
    throw signal.aborted ? refusalOf(new GitStoppedError(signal.reason)) : error
  } finally {
    releaseSlot()
  }
}

/** Acquires a slot; the returned function releases it. Throws 503 when too many wait, and 499 when the client has disconnected. */
export async function slotOf(
  asker: { acquireSlot: (signal: AbortSignal) => Promise<() => void> },
  signal: AbortSignal,
): Promise<() => void> {
  try {
    return await asker.acquireSlot(signal)
  } catch (error) {
    if (error instanceof GitBusyError) throw unavailable(error)
    throw signal.aborted ? refusalOf(new GitStoppedError(signal.reason)) : error
  }
}

/**
 * Maps an error of the semaphore to an API error. The response to a disconnected client is never read, but must
 * not count as a server error.
 */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof GitStoppedError)) return error
  const isTimeout = error.cause instanceof DOMException && error.cause.name === 'TimeoutError'
  return isTimeout ? unavailable(error) : apiError('client_closed_request', {}, { cause: error })
}

function unavailable(cause: Error): ApiError {
  return apiError('service_unavailable', {}, { headers: { 'retry-after': '10' }, cause })
}
