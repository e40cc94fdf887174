import type { RE2JS } from 're2js'

import { linesFromEnd, type TextFile } from '../../../../lib/lines-from-end.js'
import { coverageOfLine } from './coverage-of-line.js'

/** A line that tells a coverage is short. */
const MAX_LINE_BYTES = 8 * 1024
/** Elements of the expression times characters looked through: for the usual ones, more than ten megabytes of log. */
const MAX_STEPS = 200_000_000

/**
 * What an expression finds in a log: in the last line that has it (CI language, 17.1). Undefined when no line has it
 * among the last ones that there is time to look at.
 */
export async function coverageInLog(regex: RE2JS, log: TextFile): Promise<number | undefined> {
  const size = regex.programSize()
  let steps = MAX_STEPS
  for await (const line of linesFromEnd(log, MAX_LINE_BYTES)) {
    steps -= size * (line.length + 1)
    if (steps < 0) return undefined
    const coverage = coverageOfLine(regex, line)
    if (coverage !== undefined) return coverage
  }
  return undefined
}
