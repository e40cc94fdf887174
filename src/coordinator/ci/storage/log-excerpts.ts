import { findLogFailure, readAround } from './log-failure.js'
import type { LineText } from './trace-index/line-text.js'
import { readWindow } from './trace-index/read-window.js'
import { plainText } from './trace-index/shown-line.js'
import type { OpenLog, TraceIndexes } from './trace-indexes.js'
import type { TraceOwner } from './traces.js'

/** Lines are cut to this size, in bytes. */
const MAX_LINE_LENGTH = 500

/** Lines of a log, and how many bytes the log has. */
export interface LogExcerpt {
  text: string
  bytes: number
}

/**
 * The lines of the log of a job that failed around the one that says why, without styles and section markers. Empty
 * without a log. Secrets are masked as in the log.
 */
export function failureOfLog(indexes: TraceIndexes, job: TraceOwner, count: number): Promise<LogExcerpt> {
  return indexes.withLog(job, { isFinished: true }, async (log) => {
    const bytes = log?.view.bytes ?? 0
    const failure = log && (await findLogFailure(log))
    if (!failure) return { text: '', bytes }
    const { lines } = await readAround(log, failure, { count, maxLineBytes: MAX_LINE_LENGTH })
    return { text: plainLines(lines).join('\n'), bytes }
  })
}

/** The last lines of the first section with one of the names, in the order of the names; empty if the log has none. */
export function sectionOfLog(
  indexes: TraceIndexes,
  job: TraceOwner,
  names: readonly string[],
  count: number,
): Promise<LogExcerpt> {
  return indexes.withLog(job, { isFinished: true }, async (log) => {
    const sections = names.flatMap((name) => log?.view.sections.find((one) => one.name === name) ?? [])
    const [section] = sections
    const bytes = log?.view.bytes ?? 0
    if (!log || !section) return { text: '', bytes }
    const last = section.lastLine ?? log.view.lines
    const lines = await lastLines(log, { last, count: Math.min(count, last - section.firstLine + 1) })
    return { text: lines.join('\n'), bytes }
  })
}

async function lastLines(
  { file, view }: OpenLog,
  { last, count }: { last: number; count: number },
): Promise<string[]> {
  const from = Math.max(1, last - count + 1)
  const { lines } = await readWindow(file, view, {
    from,
    count: last - from + 1,
    maxLineBytes: MAX_LINE_LENGTH,
  })
  return plainLines(lines)
}

function plainLines(lines: readonly LineText[]): string[] {
  return lines.filter(({ isMarker }) => !isMarker).map(({ text, isCut }) => plain(text) + (isCut ? '…' : ''))
}

/** Without styles, and without control characters, which mails and chats do not show. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  return plainText(text).replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
}
