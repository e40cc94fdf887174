import type { RE2JS } from 're2js'

import { linesFromEnd, type TextFile } from '../../../../lib/lines-from-end.js'
import { coverageOfLine } from './coverage-of-line.js'

/** Longer lines are not searched for coverage. */
const MAX_LINE_BYTES = 8 * 1024
/**
 * Elements of the expression times characters of the log: for common expressions, more than ten megabytes of
 * log.
 */
const MAX_STEPS = 200_000_000

/**
 * The match of an expression in the last matching line of a log (CI language, 17.1). Undefined if none of the
 * last lines that can be searched in time matches.
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
