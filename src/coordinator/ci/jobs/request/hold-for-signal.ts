import { linkSignals } from '../../../../lib/link-signals.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import type { JobWatches } from '../../signals/job-watches.js'
import { authenticateJob } from '../authenticate-job.js'

export interface HoldForSignalDeps {
  engine: Pick<EngineDeps, 'database'>
  watches: JobWatches
  /** Maximum time to hold a request, in seconds. */
  longPollSeconds: number
  /** Aborts when the coordinator stops: held requests are then answered. */
  stopping: AbortSignal
}

export interface SignalQuestion {
  jobId: number
  token: string | undefined
  /** The last job status that the runner knows. */
  known: string
}

/**
 * Holds the request until the status of the job differs from the known one, and returns the new status.
 * Returns undefined after the timeout. Throws 403, with the status, for a job that the runner no longer
 * executes.
 */
export async function holdForSignal(
  deps: HoldForSignalDeps,
  { jobId, token, known }: SignalQuestion,
  gone: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + deps.longPollSeconds * 1000
  const ending = linkSignals(gone, deps.stopping)
  const watch = deps.watches.watch(jobId)
  try {
    for (;;) {
      const { status } = await authenticateJob(deps.engine.database, jobId, token)
      if (status !== known) return status
      const result = await watch.next(ending.signal, Math.max(0, deadline - Date.now()))
      if (result !== 'changed') return undefined
    }
  } finally {
    watch.close()
    ending.release()
  }
}
