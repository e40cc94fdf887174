import { linkSignals } from '../../../../lib/link-signals.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import type { JobWatches } from '../../signals/job-watches.js'
import type { TraceReaders } from '../../signals/trace-readers.js'
import { authenticateJob } from '../authenticate-job.js'

export interface HoldForSignalDeps {
  engine: Pick<EngineDeps, 'database'>
  watches: JobWatches
  traceReaders: TraceReaders
  /** Maximum time to hold a request, in seconds. */
  longPollSeconds: number
  /** Aborts when the coordinator stops: held requests are then served. */
  stopping: AbortSignal
}

export interface SignalRequest {
  jobId: number
  token: string | undefined
  /** The last job status that the runner knows. */
  known: string
  /** Whether the runner knows that somebody reads the trace; undefined if it does not want to know. */
  watched: boolean | undefined
}

export interface Signal {
  status: string
  isTraceRead: boolean
}

/**
 * Holds the request until the status of the job differs from the known one, or somebody begins to read the trace of a
 * runner that wants to know. Returns undefined after the timeout. Throws 403, with the status, for a job that the
 * runner no longer executes.
 */
export async function holdForSignal(
  deps: HoldForSignalDeps,
  { jobId, token, known, watched }: SignalRequest,
  gone: AbortSignal,
): Promise<Signal | undefined> {
  const deadline = performance.now() + deps.longPollSeconds * 1000
  const ending = linkSignals(gone, deps.stopping)
  const watch = deps.watches.watch(jobId)
  const knownReaders = watched === true ? deps.traceReaders.readSince(jobId) : undefined
  try {
    for (;;) {
      const { status } = await authenticateJob(deps.engine.database, jobId, token)
      const readSince = deps.traceReaders.readSince(jobId)
      const isTraceRead = readSince !== undefined
      if (status !== known) return { status, isTraceRead }
      if (watched !== undefined && isTraceRead && readSince !== knownReaders) return { status, isTraceRead }
      const result = await watch.next(ending.signal, Math.max(0, deadline - performance.now()))
      if (result !== 'changed') return undefined
    }
  } finally {
    watch.close()
    ending.release()
  }
}
