/** What a runner writes to mark the parts of a log (runner protocol, 4.4): `section_start:<time>:<name>`, with options. */
const SECTION_MARK = /section_(start|end):\d+:[^\r\n]*\r/g
/* eslint-disable no-control-regex -- control characters are what these look for */
/** Colours and styles. */
const STYLE = /\x1b\[[\d;]*m/g
/** Every other command to a terminal, and every other control character. */
const CONTROL =
  /\x1b(?!\[[\d;]*m)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g
/* eslint-enable no-control-regex */

/**
 * One line of a job's log as people read it: without section marks and whatever else would move the cursor. Of a line
 * that was written over (a progress bar), the last state is left. Undefined for a line that held nothing but marks.
 */
export function readableLine(line: string, { colour }: { colour: boolean }): string | undefined {
  const unmarked = line.replace(SECTION_MARK, '')
  const lastState = unmarked.replace(/\r+$/, '').split('\r').at(-1) ?? ''
  const safe = lastState.replace(CONTROL, '')
  const plain = safe.replace(STYLE, '')
  if (plain === '' && unmarked !== line) return undefined
  return colour ? safe : plain
}
