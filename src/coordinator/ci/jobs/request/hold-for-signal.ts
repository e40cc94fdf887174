import { linkSignals } from '../../../../lib/link-signals.js'
import type { WantedTerminal } from '../../../../protocol/wanted-terminal.js'
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
  /** Shells in a job that its runner has not opened yet. */
  findTerminals: (jobId: number, now: number) => Promise<WantedTerminal[]>
}

export interface SignalRequest {
  jobId: number
  token: string | undefined
  /** The last job status that the runner knows. */
  known: string
  /** Whether the runner knows that somebody reads the trace; undefined if it does not want to know. */
  watched: boolean | undefined
  /** IDs of the shells that the runner knows; undefined if it opens none. */
  terminals: readonly string[] | undefined
}

export interface Signal {
  status: string
  isTraceRead: boolean
  /** Shells to open. */
  terminals: WantedTerminal[]
}

/**
 * Holds the request until the status of the job differs from the known one, or somebody begins to read the trace or asks
 * for a shell, and the runner wants to know that. Returns undefined after the timeout. Throws 403, with the status, for a job that the
 * runner no longer executes.
 */
export async function holdForSignal(
  deps: HoldForSignalDeps,
  { jobId, token, known, watched, terminals: opened }: SignalRequest,
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
      const terminals = opened ? await wantedTerminals(deps, jobId, opened) : []
      const signal = { status, isTraceRead, terminals }
      if (status !== known || terminals.length > 0) return signal
      if (watched !== undefined && isTraceRead && readSince !== knownReaders) return signal
      const result = await watch.next(ending.signal, Math.max(0, deadline - performance.now()))
      if (result !== 'changed') return undefined
    }
  } finally {
    watch.close()
    ending.release()
  }
}

async function wantedTerminals(
  { findTerminals }: HoldForSignalDeps,
  jobId: number,
  opened: readonly string[],
): Promise<WantedTerminal[]> {
  const wanted = await findTerminals(jobId, Date.now())
  return wanted.filter(({ id }) => !opened.includes(id))
}
