import { PREFIX, rankOf } from './error-messages.js'
import { findFailingLine, isResultOfRunner } from './failing-line.js'
import { plainText } from './shown-line.js'

/** A line of an excerpt. `line`: index in the lines that were given. */
export interface ExcerptLine {
  line: number
  text: string
}

export interface FailureExcerpt {
  /** Index of the line that says why; undefined if no line has text. */
  failing: number | undefined
  /** In the order of the log. */
  lines: ExcerptLine[]
}

/** Characters of a line. */
const MAX_CHARACTERS = 300
/** Lines before and after the failing one. */
const BEFORE = 2
const AFTER = 4
/** Lines after a message in which its details are looked for, such as the values that were compared. */
const DETAILS_WITHIN = 16
/** Further messages. */
const MAX_MESSAGES = 6
/** Lines at the end. */
const LAST = 2

/** What test runners print below the name of a test that failed, and tools below their message. */
const DETAILS = [
  /^\s*(?:[-+|│>✘✗×●] *)?(?:Expected|Received|Actual|expected|actual|received|got|want|left|right)\b[^:=]{0,40}[:=]/,
  /^\s*(?:AssertionError|Error|TypeError|[\w.]*(?:Error|Exception))\b.{0,4}:? /,
  /^E {2,}\S/,
  /^\s+\S+_test\.go:\d+: /,
  /^\s*(?:thrown|Caused by|caused by|reason|message|Hint|HINT|hint)\b ?:/,
  /\bbut (?:was|it was|got|found|never found)\b/,
  /^\s*(?:>|→|❯) /,
]

/** What programs print after the cause, about themselves. */
const IDLE =
  /^\s*(?:at |npm (?:ERR!|error) (?:A complete log|path |workspace |command )|\[ERROR\] (?:->|To see|Re-run|For more)|See '|More details here|To learn more|\* Try:|> Run with )|^\s*[-=─━~^|╷╵│]*\s*$/

/**
 * Chooses the lines of the log of a failed job that explain the failure, in at most `maxBytes`: not the end of the log,
 * which mostly shows what followed. `lines`: those of the section that failed, with their styles. In this order, as long
 * as there is room:
 *
 *     the line that says why │ what the runner says │ its details │ its neighbours │ other messages │ the end
 */
export function chooseLines(lines: readonly string[], maxBytes: number): FailureExcerpt {
  const texts = lines.map((line) => plainText(line).trimEnd())
  const failing = findFailingLine(lines)
  if (failing === undefined) return { failing, lines: [] }
  const chosen = new Map<number, string>()
  let left = maxBytes
  for (const line of candidates(lines, texts, failing)) {
    const text = shorten(texts[line] ?? '')
    const bytes = Buffer.byteLength(text) + 1
    if (text.trim() === '' || chosen.has(line) || bytes > left) continue
    chosen.set(line, text)
    left -= bytes
  }
  const ordered = [...chosen].toSorted(([one], [other]) => one - other)
  return { failing, lines: ordered.map(([line, text]) => ({ line, text })) }
}

function* candidates(lines: readonly string[], texts: readonly string[], failing: number): Generator<number> {
  yield failing
  yield* indexes(lines.length).filter((line) => isResultOfRunner(lines[line] ?? ''))
  yield* detailsOf(texts, failing)
  yield* neighbours(texts, failing)
  const messages = otherMessages(texts, failing)
  for (const message of messages) {
    yield message
    yield* detailsOf(texts, message)
  }
  yield* indexes(texts.length)
    .filter((line) => (texts[line] ?? '') !== '' && !IDLE.test(texts[line] ?? ''))
    .slice(-LAST)
}

function detailsOf(texts: readonly string[], message: number): number[] {
  return indexes(DETAILS_WITHIN)
    .map((distance) => message + 1 + distance)
    .filter((line) => DETAILS.some((expression) => expression.test((texts[line] ?? '').replace(PREFIX, ''))))
}

function neighbours(texts: readonly string[], failing: number): number[] {
  const isText = (line: number) => !IDLE.test(texts[line] ?? '')
  const after = indexes(AFTER).map((distance) => failing + 1 + distance)
  const before = indexes(BEFORE).map((distance) => failing - 1 - distance)
  return [...after, ...before].filter((line) => line >= 0 && line < texts.length && isText(line))
}

/** Other messages of programs, the surest first. The last of equal rank are closest to the end of the job. */
function otherMessages(texts: readonly string[], failing: number): number[] {
  const ranked = texts.flatMap((text, line) => {
    const rank = line === failing ? undefined : rankOf(text)
    return rank === undefined || IDLE.test(text) ? [] : [{ line, rank }]
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank || other.line - one.line)
    .slice(0, MAX_MESSAGES)
    .map(({ line }) => line)
}

function shorten(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  const shown = text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
  return shown.length <= MAX_CHARACTERS ? shown : `${shown.slice(0, MAX_CHARACTERS)}…`
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_none, index) => index)
}
