import { CONSEQUENCE, OF_RUNNER, PLAIN_COMMAND, PREFIX, rankOf, RESULT } from './error-messages.js'
import { plainText } from './shown-line.js'

/** The form in which runners print a command before it runs: green and bold. */
// oxlint-disable-next-line no-control-regex
const SHOWN_COMMAND = /^(?:\x1b\[0K)?\x1b\[(?:0;)?32;1m\$ /

/**
 * The line of a log that says why a script failed: an index in `lines`, which are those of the section that failed, with
 * their styles. It is the first of the surest messages of the last command; without one, the last line with text.
 * Undefined if no line has text.
 */
export function findFailingLine(lines: readonly string[]): number | undefined {
  const texts = lines.map((line) => plainText(line).trimEnd())
  const shown = lines.findLastIndex((line) => SHOWN_COMMAND.test(line))
  // The last command of a script is the one that failed. A text such as `$ npm ci` may also be part of an output.
  const from = (shown >= 0 ? shown : texts.findLastIndex((text) => PLAIN_COMMAND.test(text))) + 1
  const ofCommand = surest(texts, from)
  const ofAll = shown < 0 && from > 0 && (ofCommand?.rank ?? CONSEQUENCE) > 1 ? surest(texts, 0) : undefined
  const found = ofAll && (!ofCommand || ofAll.rank < ofCommand.rank) ? ofAll : ofCommand
  return found?.line ?? lastText(texts)
}

/**
 * The lines that show these commands, in order. Some of the commands may not be shown: a script can redirect its output.
 * `texts`: the first lines of the commands. Null for those that are not found.
 */
export function matchCommands(
  lines: readonly { line: number; text: string }[],
  texts: readonly string[],
): (number | null)[] {
  const shown = lines
    .filter(({ text }) => SHOWN_COMMAND.test(text))
    .map(({ line, text }) => ({ line, text: plainText(text).replace(PLAIN_COMMAND, '') }))
  let next = 0
  return texts.map((text) => {
    const found = shown.findIndex((one, index) => index >= next && text !== '' && one.text.startsWith(text))
    if (found < 0) return null
    next = found + 1
    return shown[found]?.line ?? null
  })
}

/** Whether the runner says in a line why it ended the job. */
export function isResultOfRunner(line: string): boolean {
  return RESULT.test(plainText(line))
}

/** The first line of the best rank from the line `from` on. */
function surest(texts: readonly string[], from: number): { line: number; rank: number } | undefined {
  let found: { line: number; rank: number } | undefined
  for (let line = from; line < texts.length && found?.rank !== 0; line++) {
    const rank = rankOf(texts[line] ?? '')
    if (rank !== undefined && (!found || rank < found.rank)) found = { line, rank }
  }
  return found && { ...found, line: messageOf(texts, found.line) }
}

/** The exception of a Python traceback is below its stack. */
function messageOf(texts: readonly string[], line: number): number {
  if (!/\bTraceback \(/.test(texts[line] ?? '')) return line
  const end = texts.findIndex((text, index) => index > line && /^\S/.test(text.replace(PREFIX, '')))
  return end < 0 ? line : end
}

function lastText(texts: readonly string[]): number | undefined {
  const last = texts.findLastIndex((text) => text !== '' && !OF_RUNNER.test(text))
  if (last >= 0) return last
  const any = texts.findLastIndex((text) => text !== '')
  return any < 0 ? undefined : any
}
