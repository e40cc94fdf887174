import type { Static, TObject } from 'typebox'

import { invalidParameters } from '../errors.js'
import type { Combinations } from '../operation.js'
import { compileCombinations } from './combinations.js'
import { readerOf } from './readers.js'

export type ReadParameters = (given: Record<string, unknown>) => Record<string, unknown>

/**
 * Compiles a function that reads the parameters of an operation, from any encoding, by its schema (API, A5).
 * It drops unknown parameters, and throws 400 with all problems in one message.
 */
export function compileParameters(
  schema: TObject | undefined,
  combinations: Combinations = {},
): ReadParameters {
  if (!schema) return () => ({})
  const read = readerOf(schema)
  const problemsOf = compileCombinations(combinations)
  return (given) => {
    const problems: string[] = []
    const value = read(given, '', problems) as Record<string, unknown>
    const wrong = [...problems]
    problems.push(...problemsOf(isGiven))
    if (problems.length > 0) throw invalidParameters(problems.join(', '))
    return value

    // A default value does not count as set, but an invalid value does.
    function isGiven(name: string): boolean {
      return Object.hasOwn(given, name) && (Object.hasOwn(value, name) || wrong.some(isAbout(name)))
    }
  }
}

function isAbout(name: string): (problem: string) => boolean {
  return (problem) => problem.startsWith(`${name} `) || problem.startsWith(`${name}[`)
}

/** Like `compileParameters`, with the type of the schema. */
export function readerFor<Schema extends TObject>(
  schema: Schema,
): (given: Record<string, unknown>) => Static<Schema> {
  const read = compileParameters(schema)
  return (given) => read(given) as Static<Schema>
}
