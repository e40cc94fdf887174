import type { TObject } from 'typebox'

import { invalidParameters } from '../errors.js'
import { readerOf } from './readers.js'

export type ReadParameters = (given: Record<string, unknown>) => Record<string, unknown>

/**
 * Makes the function that reads an operation's parameters, in whichever form they came in, by its schema (API gaps,
 * A5). It drops what the schema does not name and throws 400 with every problem in one sentence.
 */
export function compileParameters(schema: TObject | undefined): ReadParameters {
  if (!schema) return () => ({})
  const read = readerOf(schema)
  return (given) => {
    const problems: string[] = []
    const value = read(given, '', problems)
    if (problems.length > 0) throw invalidParameters(problems.join(', '))
    return value as Record<string, unknown>
  }
}
