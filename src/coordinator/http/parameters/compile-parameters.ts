import type { TObject } from 'typebox'

import { invalidParameters } from '../errors.js'
import { type Combinations, compileCombinations, namesIn } from './combinations.js'
import type { JsonSchema } from './json-schema.js'
import { readerOf } from './readers.js'

export type ReadParameters = (given: Record<string, unknown>) => Record<string, unknown>

/**
 * Makes the function that reads an operation's parameters, in whichever form they came in, by its schema (API gaps,
 * A5). It drops what the schema does not name and throws 400 with every problem in one sentence.
 */
export function compileParameters(
  schema: TObject | undefined,
  combinations: Combinations = {},
): ReadParameters {
  if (!schema) return () => ({})
  const read = readerOf(schema)
  const problemsOf = compileCombinations(combinations)
  refuseUnknownNames(schema, combinations)
  return (given) => {
    const problems: string[] = []
    const value = read(given, '', problems) as Record<string, unknown>
    // A default is not given by anybody.
    problems.push(...problemsOf((name) => Object.hasOwn(value, name) && Object.hasOwn(given, name)))
    if (problems.length > 0) throw invalidParameters(problems.join(', '))
    return value
  }
}

/** A name that was mistyped would never be given. */
function refuseUnknownNames(schema: JsonSchema, combinations: Combinations): void {
  for (const name of namesIn(combinations)) {
    if (!schema.properties?.[name]) throw new TypeError(`${name} is no parameter of the operation`)
  }
}
