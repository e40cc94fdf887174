// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js). It does not load the engine of
// regular expressions: most searches are for a text, and begin sooner without it.
import { errorIn } from './error-messages.js'

/**
 * What is searched for in lines.
 * @typedef {TextQuery | { kind: 'regexp', expression: string, isCaseSensitive: boolean }} LineQuery
 */
/** @typedef {{ kind: 'text', text: string, isCaseSensitive: boolean } | { kind: 'errors' }} TextQuery */

/**
 * A matching line of a text: the positions of the line, and of the matches in it, in UTF-16 code units.
 * @typedef {object} MatchingLine
 * @property {number} start
 * @property {number} end
 * @property {[number, number][]} ranges relative to `start`
 */

/** @typedef {(text: string) => Generator<MatchingLine>} LineMatcher finds the matching lines of a text, in order */

const ASCII = /^[ -~]*$/
/** Matches of a line that are reported. */
export const MAX_RANGES = 50

/**
 * @param {TextQuery} query
 * @returns {LineMatcher}
 */
export function createTextMatcher(query) {
  if (query.kind === 'errors') return linesWithErrors
  // With `u`, some letters of other scripts match those of ASCII in any case.
  const flags = query.isCaseSensitive ? 'gu' : ASCII.test(query.text) ? 'gi' : 'giu'
  const expression = query.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return (text) => linesWith(new RegExp(expression, flags), text)
}

/**
 * For expressions that take linear time and match no newline.
 * @param {RegExp} expression
 * @param {string} text
 * @returns {Generator<MatchingLine>}
 */
function* linesWith(expression, text) {
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    const start = text.lastIndexOf('\n', match.index - 1) + 1
    const end = endOfLine(text, match.index)
    /** @type {[number, number][]} */
    const ranges = []
    for (; match && match.index < end; match = expression.exec(text)) {
      if (ranges.length < MAX_RANGES)
        ranges.push([match.index - start, match.index + match[0].length - start])
    }
    yield { start, end, ranges }
    expression.lastIndex = end
  }
}

/**
 * Lines that report an error: those among which the failing line of a log is chosen.
 * @param {string} text
 * @returns {Generator<MatchingLine>}
 */
function* linesWithErrors(text) {
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start)
    const range = errorIn(text.slice(start, end))
    if (range) yield { start, end, ranges: [range] }
    start = end + 1
  }
}

/**
 * @param {string} text
 * @param {number} from
 */
export function endOfLine(text, from) {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
