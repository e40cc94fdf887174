import { PatternWork } from '../expressions/pattern-work.js'
import type { ConfigData, PlannedInput } from '../plan.js'
import type { InputSpec } from './input-spec.js'
import { configValueOf, formatValue } from './input-types.js'
import { givenValues } from './input-values.js'

/**
 * The inputs of a job with the values set at its start; other inputs keep their values. Problems have the
 * same wording as for the inputs of a file (CI language, 5.2 and 5.4). Throws `ConfigError` for patterns that
 * cost too much.
 */
export function withGivenInputs(
  inputs: readonly PlannedInput[],
  given: Readonly<Record<string, ConfigData>>,
): { kind: 'inputs'; inputs: PlannedInput[] } | { kind: 'wrong'; errors: string[] } {
  const wanted = new Map(Object.entries(given).map(([name, data]) => [name, configValueOf(data)]))
  const outcome = givenValues(inputs.map(specOf), wanted, new PatternWork())
  if (outcome.kind === 'wrong') return outcome
  const changed = inputs.map((input) => {
    const value = outcome.values.get(input.name)
    return value === undefined ? input : { ...input, text: formatValue(value) }
  })
  return { kind: 'inputs', inputs: changed }
}

function specOf({ name, type, options, regex }: PlannedInput): InputSpec {
  return {
    name,
    type,
    ...(options && { options: options.map((option) => configValueOf(option)) }),
    ...(regex !== undefined && { regex }),
  }
}
