import { failedSection } from './trace-index/failed-section.js'
import { findFailingLine, isResultOfRunner } from './trace-index/failing-line.js'
import { type LogWindow, readWindow } from './trace-index/read-window.js'
import type { OpenLog } from './trace-indexes.js'

/** Lines at the end of the section in which the failing line is looked for, and bytes of each. */
const SEARCHED_LINES = 5000
const SEARCHED_BYTES = 300
/** Lines after the section, among which the runner says why it ended the job. */
const LINES_AFTER = 100

/** The position in the log of a failed job that shows the cause. Lines count from 1. */
export interface LogFailure {
  /** Title of the section that failed; null without sections. */
  section: string | null
  /** First and last line with text of that section, or of the log. */
  first: number
  last: number
  /** The line that says why. */
  line: number
}

/** Finds the failing line of the log of a job that has failed. Undefined for a log without text. */
export async function findLogFailure({ file, view }: OpenLog): Promise<LogFailure | undefined> {
  const section = failedSection(view.sections)
  const end = section?.lastLine ?? view.lines
  const first = section?.firstLine ?? 1
  const from = Math.max(first, end - SEARCHED_LINES + 1)
  const { lines } = await readWindow(file, view, {
    from,
    count: Math.min(view.lines, end + LINES_AFTER) - from + 1,
    maxLineBytes: SEARCHED_BYTES,
  })
  const texts = lines.map(({ text, isMarker }, index) =>
    isMarker || (from + index > end && !isResultOfRunner(text)) ? '' : text,
  )
  const failing = findFailingLine(texts)
  if (failing === undefined) return undefined
  const lastText = texts.findLastIndex((text, index) => text.trim() !== '' && from + index <= end)
  const line = from + failing
  return { section: section?.title ?? null, first, last: Math.max(line, from + lastText), line }
}

/**
 * The lines around the failing one: at most `count`, a third of them before it. Near an end of the section, there are
 * more on the other side.
 */
function linesAround({ first, last, line }: LogFailure, count: number): { from: number; count: number } {
  const before = Math.floor(count / 3)
  const from = Math.max(first, Math.min(line - before, last - count + 1))
  return { from, count: Math.min(count, last - from + 1) }
}

/** Reads the lines around the failing one, at most `maxLineBytes` of each. */
export function readAround(
  { file, view }: OpenLog,
  failure: LogFailure,
  { count, maxLineBytes }: { count: number; maxLineBytes: number },
): Promise<LogWindow> {
  return readWindow(file, view, { ...linesAround(failure, count), maxLineBytes })
}
