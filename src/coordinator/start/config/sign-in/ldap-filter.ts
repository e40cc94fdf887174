import { readText } from '../readers.js'
import type { ReadSetting } from '../setting-sources.js'

/** Deepest nesting of a filter. */
const MAX_DEPTH = 20

/** An attribute, what is compared, and a value in which parentheses are escaped (RFC 4515, section 3). */
const COMPARISON = /^[\w-]+(?:[~<>]?=|(?::dn)?(?::[\w.-]+)?:=)(?:[^()\\]|\\[0-7][0-9a-f])*$/i

/** A filter of LDAP. Escapes are for ASCII alone: the client reads one of another byte as a character. */
export const readFilter: ReadSetting<string> = (raw) => {
  const text = readText(raw).trim()
  if (endOfFilter(text, 0, 0) !== text.length) {
    throw new Error(
      'must be a filter such as (&(objectClass=person)(!(employeeType=guest))), with escapes such as \\28 for ASCII only',
    )
  }
  return text
}

/** Where the filter that begins at `start` ends; -1 if there is none. */
function endOfFilter(text: string, start: number, depth: number): number {
  if (text[start] !== '(' || depth > MAX_DEPTH) return -1
  const operator = text[start + 1] ?? ''
  if (!'&|!'.includes(operator) || operator === '') {
    const end = text.indexOf(')', start)
    return end > 0 && COMPARISON.test(text.slice(start + 1, end)) ? end + 1 : -1
  }
  let end = endOfFilter(text, start + 2, depth + 1)
  while (operator !== '!' && text[end] === '(') end = endOfFilter(text, end, depth + 1)
  return end > 0 && text[end] === ')' ? end + 1 : -1
}
