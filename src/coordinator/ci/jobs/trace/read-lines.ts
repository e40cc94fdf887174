import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { isFinished } from '../../engine/job-status.js'
import { missingBytes, type MissingBytesDeps } from '../../engine/missing-bytes.js'
import { findArrivals } from '../../storage/trace-index/arrival-times.js'
import { lineOfByte, readWindow, type WindowLine } from '../../storage/trace-index/read-window.js'
import type { OpenLog, TraceIndexes } from '../../storage/trace-indexes.js'
import type { TraceLines } from './schema.js'
import type { TraceCheck } from './trace-check.js'

export interface LinesQuery {
  /** From 1; a negative number counts from the end. */
  from?: number | undefined
  /** Byte whose line is the first one. */
  byte?: number | undefined
  count?: number | undefined
  /** Whether to return the first line alone, uncut. */
  whole?: boolean | undefined
}

const DEFAULT_COUNT = 256
/** Longer lines are cut. */
const LINE_BYTES = 16 * 1024
const WHOLE_LINE_BYTES = 4 * 1024 * 1024

/** Consecutive lines of a log. */
export async function readLines(
  { engine, indexes, check }: { engine: MissingBytesDeps; indexes: TraceIndexes; check: TraceCheck },
  job: JobRow,
  query: LinesQuery,
): Promise<TraceLines> {
  const isComplete = isFinished(job.status)
  return indexes.withLog(job, { isFinished: isComplete }, async (log) => {
    await check()
    const lines = log ? await linesOf(log, query) : NO_LINES
    const missing = await missingBytes(engine, job, lines.bytes)
    return { ...lines, is_complete: isComplete, missing_bytes: missing }
  })
}

type LogLines = Omit<TraceLines, 'is_complete' | 'missing_bytes'>

const NO_LINES: LogLines = {
  from: 1,
  lines: [],
  times: [],
  style: '',
  cut: [],
  overwritten: [],
  markers: [],
  total: 0,
  bytes: 0,
  next_byte: 0,
}

async function linesOf(log: OpenLog, query: LinesQuery): Promise<LogLines> {
  const { file, view, timesPath } = log
  const { whole = false, count = DEFAULT_COUNT } = query
  const window = await readWindow(file, view, {
    from: await firstLine(log, query),
    count: whole ? 1 : count,
    maxLineBytes: whole ? WHOLE_LINE_BYTES : LINE_BYTES,
  })
  const { lines } = window
  const arrivals = await findArrivals(
    timesPath,
    lines.map(({ start }) => start),
  )
  return {
    from: window.from,
    lines: lines.map(({ text }) => text),
    times: changesOf(lines.map(({ time }, index) => time ?? arrivals[index])),
    style: window.style,
    cut: indexesOf(lines, ({ isCut }) => isCut),
    overwritten: lines.flatMap(({ overwritten }, index) =>
      overwritten > 0 ? [[index, overwritten] as [number, number]] : [],
    ),
    markers: indexesOf(lines, ({ isMarker }) => isMarker),
    total: view.lines,
    bytes: view.bytes,
    next_byte: window.next,
  }
}

async function firstLine({ file, view }: OpenLog, { from = 1, byte }: LinesQuery): Promise<number> {
  if (byte !== undefined) return lineOfByte(file, view, byte)
  return Math.max(1, from < 0 ? view.lines + 1 + from : from)
}

function indexesOf(lines: WindowLine[], isWanted: (line: WindowLine) => boolean): number[] {
  return lines.flatMap((line, index) => (isWanted(line) ? [index] : []))
}

/** Index and time of each line whose time differs from the one before. */
function changesOf(times: (number | undefined)[]): [number, number][] {
  const changes: [number, number][] = []
  for (const [index, time] of times.entries()) {
    if (time !== undefined && time !== changes.at(-1)?.[1]) changes.push([index, time])
  }
  return changes
}
