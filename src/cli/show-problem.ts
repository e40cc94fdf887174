import type { Problem } from '../ci-config/errors.js'

const BOLD = '1'
const RED = '1;31'
const YELLOW = '1;33'

/** A tab would put the caret at a different position on each terminal. */
const TAB = '  '

/** Maximum number of characters of a line that are shown. */
const WIDTH = 160

export interface ShowOptions {
  colour: boolean
  /** The text of a file, by the name that problems use for it. Undefined if it is unknown. */
  readText: (file: string) => string | undefined
}

/**
 * Formats a problem as `file:line:column: error: …`, followed by the line with a caret below, if they are known.
 */
export function showProblem(problem: Problem, file: string, options: ShowOptions): string[] {
  const { location } = problem
  const where = formatLocation(problem, file)
  const paint = painter(options.colour)
  const [first = '', ...rest] = problem.message.split('\n').map(printable)
  const heading = `${paint(where, BOLD)}: ${paint('error:', RED)} ${first}`
  if (!location) return [heading, ...rest]
  const written = options.readText(location.file)?.split(/\r?\n/)[location.line - 1]
  return [heading, ...rest, ...(written === undefined ? [] : pointAt(written, location, paint))]
}

/** `file:line:column`, or `file` for a problem without a location. */
export function formatLocation({ location }: Problem, file: string): string {
  return location ? `${location.file}:${location.line}:${location.column}` : file
}

export function showWarning(warning: string, file: string, { colour }: Pick<ShowOptions, 'colour'>): string {
  const paint = painter(colour)
  return `${paint(file, BOLD)}: ${paint('warning:', YELLOW)} ${printable(warning)}`
}

function pointAt(
  written: string,
  { line, column }: { line: number; column: number },
  paint: ReturnType<typeof painter>,
): string[] {
  const start = Math.max(0, column - WIDTH / 2)
  const visible = printable(written.slice(start, start + WIDTH))
  const before = printable(written.slice(start, column - 1))
  const number = String(line)
  return [
    `  ${number} | ${visible}`,
    `  ${' '.repeat(number.length)} | ${' '.repeat(before.length)}${paint('^', RED)}`,
  ]
}

/** Control characters of a file must not reach the terminal. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.replaceAll('\t', TAB).replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
}

function painter(colour: boolean): (text: string, code: string) => string {
  return (text, code) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
}
