// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { MARKER_START } from './section-marker.js'

/**
 * Finds the places of lines that may contain a text, without the work of making the lines plain.
 * @typedef {(raw: string) => (from: number) => number} TextSieve for the bytes of whole lines, each as a character, a
 *   function that returns the first place from a position on; infinite if there is none. Each line in whose visible
 *   text the text occurs has a place.
 */

const PRINTABLE = /^[ -~]+$/
const ESCAPE = '\x1b'
const MARKER = MARKER_START.toString('latin1')

/**
 * The sieve for a query; undefined if each line has to be looked at.
 *
 * In the bytes, a visible text is in one piece, or it begins before an escape sequence or a section marker.
 * @param {import('./text-matcher.js').LineQuery} query
 * @returns {TextSieve | undefined}
 */
export function createSieve(query) {
  if (query.kind !== 'text' || !PRINTABLE.test(query.text)) return undefined
  const find = query.isCaseSensitive ? findExactly(query.text) : findInAnyCase(query.text)
  const isBegun = createPrefixCheck(query.text, query.isCaseSensitive)
  return (raw) => {
    const places = [
      (/** @type {number} */ from) => find(raw, from),
      (/** @type {number} */ from) => {
        let at = raw.indexOf(ESCAPE, from)
        while (at >= 0 && !isBegun(raw, at)) at = raw.indexOf(ESCAPE, at + 1)
        return at
      },
      (/** @type {number} */ from) => raw.indexOf(MARKER, from),
    ].map(remembering)
    return (from) => Math.min(...places.map((next) => next(from)))
  }
}

/**
 * Looks again only for positions after the last result.
 * @param {(from: number) => number} find returns -1 for nothing
 * @returns {(from: number) => number}
 */
function remembering(find) {
  let last = -1
  return (from) => {
    if (last < from) {
      const at = find(from)
      last = at < 0 ? Infinity : at
    }
    return last
  }
}

/** @param {string} text */
function findExactly(text) {
  return (/** @type {string} */ raw, /** @type {number} */ from) => raw.indexOf(text, from)
}

/** @param {string} text */
function findInAnyCase(text) {
  const expression = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'gi')
  return (/** @type {string} */ raw, /** @type {number} */ from) => {
    expression.lastIndex = from
    return expression.exec(raw)?.index ?? -1
  }
}

/**
 * Whether a beginning of the text ends at a position.
 * @param {string} text
 * @param {boolean} isCaseSensitive
 */
function createPrefixCheck(text, isCaseSensitive) {
  const fold = Uint8Array.from({ length: 256 }, (_none, code) =>
    !isCaseSensitive && code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
  )
  const folded = Array.from(text, (character) => fold[character.charCodeAt(0)])
  /** @type {number[][]} lengths of the beginnings, by their last character */
  const lengths = Array.from({ length: 256 }, (_none, code) =>
    folded.flatMap((last, index) => (last === fold[code] && index + 1 < folded.length ? [index + 1] : [])),
  )
  return (/** @type {string} */ raw, /** @type {number} */ end) => {
    const ending = end > 0 ? lengths[raw.charCodeAt(end - 1)] : undefined
    return (
      ending?.some((length) => {
        if (length > end) return false
        for (let index = 0; index < length; index++) {
          if (fold[raw.charCodeAt(end - length + index)] !== folded[index]) return false
        }
        return true
      }) ?? false
    )
  }
}
