// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { RE2JS } from 're2js'

/**
 * What is searched for in lines.
 * @typedef {{ kind: 'text', text: string, isCaseSensitive: boolean }
 *   | { kind: 'regexp', expression: string, isCaseSensitive: boolean }
 *   | { kind: 'errors' }} LineQuery
 */

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
const MAX_RANGES = 50
/** Elements of an expression. It is linear in the text, and in this. */
const MAX_PROGRAM = 2000

/** Texts that begin messages about errors, in any case. */
const ERROR_WORDS = ['error', 'fatal', 'panic']

const ERRORS = [
  // `error: …`, `[ERROR] …`, `error TS2322: …`, `error[E0382]`
  `(?<![\\w./-])(?:${ERROR_WORDS.map(inAnyCase).join('|')})(?:[:\\]!(\\[]| [A-Z]{1,8}\\d)`,
  // Exceptions. The length is limited, so that no text is searched twice.
  '\\b[A-Z]\\w{0,80}(?:Error|Exception)\\b',
  '\\bFAIL(?:ED|URE)?\\b',
  '##\\[error\\]',
  '\\bnpm ERR!',
  '\\*\\*\\* \\[[^\\n\\]]{1,200}\\] Error \\d',
  '^Traceback \\(most recent call last\\)',
  '\\bSegmentation fault\\b',
].join('|')

/**
 * The matcher of a query. Throws `RE2JSException` for an expression that is not valid, and `RangeError` for one that is
 * too large.
 * @param {LineQuery} query
 * @returns {LineMatcher}
 */
export function createMatcher(query) {
  switch (query.kind) {
    case 'errors':
      return (text) => linesWith(new RegExp(ERRORS, 'gmu'), text)
    case 'text': {
      // With `u`, some letters of other scripts match those of ASCII in any case.
      const flags = query.isCaseSensitive ? 'gu' : ASCII.test(query.text) ? 'gi' : 'giu'
      const expression = query.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      return (text) => linesWith(new RegExp(expression, flags), text)
    }
    case 'regexp': {
      const expression = RE2JS.compile(query.expression, query.isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
      const size = expression.programSize()
      if (size > MAX_PROGRAM)
        throw new RangeError(`The expression has ${size} elements, more than ${MAX_PROGRAM}`)
      return (text) => linesOf(expression, text)
    }
  }
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
 * @param {RE2JS} expression
 * @param {string} text
 * @returns {Generator<MatchingLine>}
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

/**
 * @param {string} text
 * @param {number} from
 */
function endOfLine(text, from) {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** @param {string} word */
function inAnyCase(word) {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}
