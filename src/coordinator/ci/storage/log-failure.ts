import { failedSection } from './trace-index/failed-section.js'
import { findFailingLine, isResultOfRunner, matchCommands } from './trace-index/failing-line.js'
import { chooseLines, type ExcerptLine } from './trace-index/failure-excerpt.js'
import { type LogWindow, readWindow } from './trace-index/read-window.js'
import type { TraceSection } from './trace-index/trace-scanner.js'
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

/**
 * Finds the failing line of the log of a job that has failed. `name`: that of the section that failed, if it is known.
 * Undefined for a log without text.
 */
export async function findLogFailure(log: OpenLog, name?: string): Promise<LogFailure | undefined> {
  const { section, first, from, end, texts } = await readFailedPart(log, name)
  const failing = findFailingLine(texts)
  if (failing === undefined) return undefined
  const lastText = texts.findLastIndex((text, index) => text.trim() !== '' && from + index <= end)
  const line = from + failing
  return { section: section?.title ?? null, first, last: Math.max(line, from + lastText), line }
}

/** The lines of a log that explain the failure of its job. Lines count from 1. */
export interface LogExplanation {
  /** Name of the section that failed; null without sections. */
  section: string | null
  /** The line that says why. */
  line: number
  lines: ExcerptLine[]
}

/**
 * Chooses the lines that explain the failure (`chooseLines`). `name`: that of the section that failed, if it is known.
 * Undefined for a log without text.
 */
export async function explainLog(
  log: OpenLog,
  maxBytes: number,
  name?: string,
): Promise<LogExplanation | undefined> {
  const { section, from, texts } = await readFailedPart(log, name)
  const { failing, lines } = chooseLines(texts, maxBytes)
  if (failing === undefined) return undefined
  return {
    section: section?.name ?? null,
    line: from + failing,
    lines: lines.map(({ line, text }) => ({ line: from + line, text })),
  }
}

/** Lines in which commands of a script are looked for, at both ends of its section. */
const COMMAND_LINES = 2000

/**
 * Where the log shows the commands of a section, in order: the number of the line of each, from 1; null for those that
 * are not found. `texts`: the first lines of the commands.
 */
export async function locateCommands(
  { file, view }: OpenLog,
  name: string,
  texts: readonly string[],
): Promise<(number | null)[]> {
  const section = view.sections.find((one) => one.name === name)
  if (!section) return texts.map(() => null)
  const end = section.lastLine ?? view.lines
  const read = async (from: number, to: number) => {
    if (to < from) return []
    const window = await readWindow(file, view, { from, count: to - from + 1, maxLineBytes: SEARCHED_BYTES })
    return window.lines.map(({ text }, index) => ({ line: from + index, text }))
  }
  const headEnd = Math.min(end, section.firstLine + COMMAND_LINES - 1)
  const head = await read(section.firstLine, headEnd)
  const tail = await read(Math.max(headEnd + 1, end - SEARCHED_LINES + 1), end)
  return matchCommands([...head, ...tail], texts)
}

interface FailedPart {
  section: TraceSection | undefined
  first: number
  /** Last line of the section. The runner says after it why it ended the job. */
  end: number
  /** Number of the first of the lines. */
  from: number
  /** Empty for those that do not count. */
  texts: string[]
}

async function readFailedPart({ file, view }: OpenLog, name?: string): Promise<FailedPart> {
  const named = name === undefined ? undefined : view.sections.findLast((one) => one.name === name)
  const section = named ?? failedSection(view.sections)
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
  return { section, first, end, from, texts }
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
