// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { RE2JS } from 're2js'

import { createTextMatcher, endOfLine, MAX_RANGES } from './text-matcher.js'

/** @typedef {import('./text-matcher.js').LineQuery} LineQuery */
/** @typedef {import('./text-matcher.js').LineMatcher} LineMatcher */

/** Elements of an expression. It is linear in the text, and in this. */
const MAX_PROGRAM = 2000

/**
 * The matcher of a query. Throws `RE2JSException` for an expression that is not valid, and `RangeError` for one that is
 * too large.
 * @param {LineQuery} query
 * @returns {LineMatcher}
 */
export function createMatcher(query) {
  if (query.kind !== 'regexp') return createTextMatcher(query)
  const expression = RE2JS.compile(query.expression, query.isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  const size = expression.programSize()
  if (size > MAX_PROGRAM)
    throw new RangeError(`The expression has ${size} elements, more than ${MAX_PROGRAM}`)
  return (text) => linesOf(expression, text)
}

/**
 * @param {RE2JS} expression
 * @param {string} text
 * @returns {ReturnType<LineMatcher>}
 */
function* linesOf(expression, text) {
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start)
    const line = text.slice(start, end)
    if (expression.test(line)) yield { start, end, ranges: rangesOf(expression, line) }
    start = end + 1
  }
}

/**
 * Empty matches are left out.
 * @param {RE2JS} expression
 * @param {string} line
 */
function rangesOf(expression, line) {
  const matcher = expression.matcher(line)
  /** @type {[number, number][]} */
  const ranges = []
  while (ranges.length < MAX_RANGES && matcher.find()) {
    if (matcher.end() > matcher.start()) ranges.push([matcher.start(), matcher.end()])
  }
  return ranges
}
