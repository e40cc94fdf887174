import type { ContextVariable } from '../context-variable.js'

/** Values by name; undefined ones are left out. */
export type VariableValues = Readonly<Record<string, string | number | undefined>>

export function listOf(values: VariableValues): ContextVariable[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: String(value) }],
  )
}
