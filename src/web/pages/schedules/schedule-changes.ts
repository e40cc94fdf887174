import type { ScheduleInput, ScheduleVariable } from '../../../coordinator/ci/schedules/schema.js'
import { inputText } from '../../records/pipeline-fields/variables-text.js'

interface VariableChange {
  method: 'POST' | 'PUT' | 'DELETE'
  key: string
  body?: Pick<ScheduleVariable, 'value' | 'variable_type'> & { key?: string }
}

/** The requests that turn the variables of a schedule into others. */
export function variableChanges(
  before: readonly ScheduleVariable[],
  after: readonly ScheduleVariable[],
): VariableChange[] {
  const known = new Map(before.map((variable) => [variable.key, variable]))
  const kept = new Set(after.map(({ key }) => key))
  const removed = before.filter(({ key }) => !kept.has(key))
  return [
    ...removed.map(({ key }): VariableChange => ({ method: 'DELETE', key })),
    ...after.flatMap(({ key, value, variable_type }): VariableChange[] => {
      const old = known.get(key)
      if (!old) return [{ method: 'POST', key, body: { key, value, variable_type } }]
      if (old.value === value && old.variable_type === variable_type) return []
      return [{ method: 'PUT', key, body: { value, variable_type } }]
    }),
  ]
}

interface InputChange {
  name: string
  value?: unknown
  destroy?: true
}

/**
 * The changes of the inputs of a schedule: values that were typed, and the removal of those that were cleared, or that the
 * CI file no longer declares. Values that are the same as before are left out, so that they keep their type.
 * @param declared names of the inputs that the CI file declares; empty if they are not known
 */
export function inputChanges(
  before: readonly ScheduleInput[],
  typed: Readonly<Record<string, string>>,
  declared: readonly string[],
): InputChange[] {
  const known = new Map(before.map(({ name, value }) => [name, inputText(value)]))
  const isDeclared = (name: string) => declared.length === 0 || declared.includes(name)
  const gone = before.filter(({ name }) => !isDeclared(name) || typed[name] === undefined)
  const removed = new Set(gone.map(({ name }) => name))
  return [
    ...[...removed].map((name): InputChange => ({ name, destroy: true })),
    ...Object.entries(typed)
      .filter(([name, value]) => !removed.has(name) && known.get(name) !== value)
      .map(([name, value]): InputChange => ({ name, value })),
  ]
}
