import { stripVTControlCharacters } from 'node:util'

import type { Matcher, RE2JS } from 're2js'

const NUMBER = /\d+(?:\.\d+)?/
/** Terminals write these before a newline; without them, an expression can match the end of the line. */
const LINE_END = /\r+$/

/**
 * The number in the last match of a log line: from the first non-empty group, or else from the whole match.
 * Undefined for a line without a match or number. Color codes are ignored (CI language, 17.1).
 */
export function coverageOfLine(regex: RE2JS, line: string): number | undefined {
  const matcher = regex.matcher(stripVTControlCharacters(line).replace(LINE_END, ''))
  let found: string | undefined
  while (matcher.find()) found = matchedText(matcher)
  const number = Number(NUMBER.exec(found ?? '')?.[0] ?? NaN)
  return Number.isFinite(number) ? number : undefined
}

function matchedText(matcher: Matcher): string {
  for (let group = 1; group <= matcher.groupCount(); group++) {
    const text = matcher.group(group)
    if (text) return text
  }
  return matcher.group() ?? ''
}
