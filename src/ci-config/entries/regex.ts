import type { RE2JS } from 're2js'

import { parseRegexLiteral } from '../expressions/regex-literal.js'

/** A regular expression written without slashes; undefined when it cannot be understood or is too large. */
export function readRegex(pattern: string): RE2JS | undefined {
  const parsed = parseRegexLiteral(`/${pattern}/`)
  return parsed === 'invalid' ? undefined : parsed
}
