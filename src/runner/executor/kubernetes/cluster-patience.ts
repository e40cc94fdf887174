import { pause } from '../../../lib/pause.js'
import { SECOND } from '../../../lib/time-units.js'
import type { ExecutorJob } from '../executor.js'
import { clusterFailure, isAway } from './cluster-failure.js'
import type { KubernetesSettings } from './settings.js'

/** Longer than an API server takes to restart. */
const DEFAULT_SECONDS = 120
/** Milliseconds between two attempts. */
const FIRST_PAUSE = SECOND / 4
const MAX_PAUSE = 5 * SECOND

/**
 * Milliseconds that a running job waits for an API server that is away: as long as the coordinator waits for a silent
 * runner, so that it makes no difference which of the two connections is interrupted (runner protocol, 12.9).
 */
export function clusterPatience(
  { clusterAwaySeconds: configured }: Pick<KubernetesSettings, 'clusterAwaySeconds'>,
  { leaseSeconds }: Pick<ExecutorJob, 'leaseSeconds'>,
): number {
  return (configured ?? leaseSeconds ?? DEFAULT_SECONDS) * SECOND
}

export interface Patience {
  /** Completes "while …". */
  doing: string
  milliseconds: number
  signal: AbortSignal
}

/**
 * Repeats a call of the API while the API server is away. Throws an `ExecutorError` if it is away for too long, or
 * refuses the call, and the reason of the signal.
 */
export async function whilePatient<T>(
  call: () => Promise<T>,
  { doing, milliseconds, signal }: Patience,
): Promise<T> {
  const deadline = performance.now() + milliseconds
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await call()
    } catch (error) {
      signal.throwIfAborted()
      if (!isAway(error) || performance.now() >= deadline) throw clusterFailure(error, doing)
    }
    await pause(Math.min(FIRST_PAUSE * 2 ** attempt, MAX_PAUSE), signal)
  }
}
