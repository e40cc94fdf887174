import { GitStoppedError } from '../../../git/errors.js'
import { ApiError } from '../../http/errors.js'
import { GitBusyError } from './errors.js'
import type { GitLane } from './git-turns.js'
import type { Repositories } from './repositories.js'

/** Whose turn it is. */
export interface ApiTurn {
  projectId: number
  lane: GitLane
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

/** Milliseconds that a caller waits at most, as for an answer which git reads. */
const MAX_WAITING = 30_000

/**
 * Git of one call of the API, in one turn: `work` runs one process at a time and asks for no other turn. A caller who goes
 * away waits no longer; `work` ends as its own signal wants. Throws 503 where too many wait or the turn does not come, and 499
 * for a caller who has gone.
 */
export async function inApiTurn<T>(
  repositories: Pick<Repositories, 'takeTurn'>,
  { projectId, lane, signal }: ApiTurn,
  work: () => Promise<T>,
): Promise<T> {
  const takeTurn = (until: AbortSignal) => repositories.takeTurn(projectId, lane, until)
  const endTurn = await turnOf({ takeTurn }, AbortSignal.any([signal, AbortSignal.timeout(MAX_WAITING)]))
  try {
    return await work()
  } catch (error) {
    throw signal.aborted ? refusalOf(new GitStoppedError(signal.reason)) : error
  } finally {
    endTurn()
  }
}

/** A turn that the answered function ends. Throws 503 where too many wait, and 499 for a caller who has gone. */
export async function turnOf(
  asker: { takeTurn: (signal: AbortSignal) => Promise<() => void> },
  signal: AbortSignal,
): Promise<() => void> {
  try {
    return await asker.takeTurn(signal)
  } catch (error) {
    if (error instanceof GitBusyError) throw unavailable(error)
    throw signal.aborted ? refusalOf(new GitStoppedError(signal.reason)) : error
  }
}

/** Nobody reads the answer for a caller who is gone; it only must not look like a fault of ours. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof GitStoppedError)) return error
  const isTimeout = error.cause instanceof DOMException && error.cause.name === 'TimeoutError'
  return isTimeout
    ? unavailable(error)
    : new ApiError(499, { message: '499 Client Closed Request' }, {}, { cause: error })
}

function unavailable(cause: Error): ApiError {
  return new ApiError(503, { message: '503 Service Unavailable' }, { 'retry-after': '10' }, { cause })
}
