import { type parseRegexLiteral } from '../expressions/regex-literal.js'
import { limits } from '../limits.js'
import type { Reader } from './reader.js'

/** `/…/`: the pattern that extracts the coverage from the log (CI language, 17.1). */
export const readCoverage: Reader<string> = (value, location) => {
  const isRight =
    typeof value === 'string' &&
    value.length <= limits.patternLength &&
    isExpression(location.patterns.parse(value))
  return isRight ? value : location.refuse('must be a regular expression with re2 syntax')
}

function isExpression(parsed: ReturnType<typeof parseRegexLiteral>): boolean {
  return parsed !== undefined && parsed !== 'invalid'
}
