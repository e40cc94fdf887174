import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import type { TraceLines, TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { requestJson } from '../api/client.js'
import { useLive } from '../live/use-live.js'
import { LogSource } from './log-source.js'

interface ReadLog {
  /** Changes in place; the component is drawn again then. */
  source: LogSource
  /** Grows with each change of the source, and when `redraw` is called. */
  version: number
  redraw: () => void
}

interface LogOptions {
  /** The log in the API. */
  path: string
  jobId: number
  outline: TraceOutline
  isRunning: boolean
  onError: (error: Error) => void
}

/** Reads a log, and what is added to it while the job runs. */
export function useLogSource({ path, jobId, outline, isRunning, onError }: LogOptions): ReadLog {
  const [version, setVersion] = useState(0)
  const redraw = () => setVersion((count) => count + 1)
  const onErrorNow = useRef(onError)
  onErrorNow.current = onError
  const source = useMemo(() => {
    const made = new LogSource(
      {
        lines: (query) => requestJson<TraceLines>(`${path}/lines${queryOf(query)}`),
        outline: () => requestJson<TraceOutline>(`${path}/outline`),
      },
      redraw,
      (error) => onErrorNow.current(error),
    )
    made.open(outline)
    return made
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the effect below gives it later outlines
  }, [path])
  useEffect(() => source.open(outline), [source, outline])
  const grow = ({ job_id: id }: { job_id: number }) => {
    if (id === jobId) source.grow()
  }
  useLive(
    isRunning || !source.isComplete ? [`trace/${jobId}/${outline.bytes}`] : [],
    { trace: grow, 'trace-end': grow },
    () => source.grow(),
  )
  return { source, version, redraw }
}
