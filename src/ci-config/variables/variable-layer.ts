import { groupBy } from '../../lib/group-by.js'
import type { ContextVariable } from '../context-variable.js'
import { mayRefer, namesReferredTo } from './expand.js'

/** One list of variables with an index by name. */
export interface VariableLayer<V> {
  /** Variables by name, the effective one last. */
  readonly byName: ReadonlyMap<string, readonly V[]>
  /** Variables whose values contain references. */
  readonly referring: readonly V[]
}

const references = new WeakMap<ContextVariable, readonly string[]>()
const NONE: readonly string[] = []

/** The list must not change afterwards. */
export function layerOf<V extends ContextVariable>(variables: readonly V[]): VariableLayer<V> {
  const byName = groupBy(variables, ({ key }) => key)
  return { byName, referring: variables.filter((variable) => referencesOf(variable).length > 0) }
}

/**
 * The names in the references of a value; none for a raw variable. Jobs share variables, so each is parsed
 * once.
 */
export function referencesOf(variable: ContextVariable): readonly string[] {
  // Most values, such as those of predefined variables, which each job has of its own.
  if (variable.raw || !mayRefer(variable.value)) return NONE
  const known = references.get(variable)
  if (known) return known
  const names = namesReferredTo(variable.value)
  references.set(variable, names)
  return names
}
