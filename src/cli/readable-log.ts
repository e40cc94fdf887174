/**
 * Section markers that a runner writes into a log (runner protocol, 4.4): `section_start:<time>:<name>`, with
 * options.
 */
const SECTION_MARK = /section_(start|end):\d+:[^\r\n]*\r/g
/* oxlint-disable no-control-regex -- control characters are what these look for */
/** Colors and styles. */
const STYLE = /\x1b\[[\d;]*m/g
/** All other terminal commands and control characters. */
const CONTROL =
  /\x1b(?!\[[\d;]*m)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g
/* oxlint-enable no-control-regex */

/**
 * Converts one line of a job log for display: removes section markers and everything that moves the cursor. Keeps the
 * last state of a line that was overwritten (a progress bar). Returns undefined for a line that contained only markers.
 */
export function readableLine(line: string, { colour }: { colour: boolean }): string | undefined {
  const unmarked = line.replace(SECTION_MARK, '')
  const lastState = unmarked.replace(/\r+$/, '').split('\r').at(-1) ?? ''
  const safe = lastState.replace(CONTROL, '')
  const plain = safe.replace(STYLE, '')
  if (plain === '' && unmarked !== line) return undefined
  return colour ? safe : plain
}
