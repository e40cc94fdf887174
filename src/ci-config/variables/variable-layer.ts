import type { ContextVariable } from '../context-variable.js'
import { namesReferredTo } from './expand.js'

/** One list of variables with an index by name. */
export interface VariableLayer<V> {
  /** Those of one name, the one that counts last. */
  readonly byName: ReadonlyMap<string, readonly V[]>
  /** Variables whose values refer to others. */
  readonly referring: readonly V[]
}

const references = new WeakMap<ContextVariable, readonly string[]>()

/** The list must not change afterwards. */
export function layerOf<V extends ContextVariable>(variables: readonly V[]): VariableLayer<V> {
  const byName = new Map<string, V[]>()
  for (const variable of variables) {
    const same = byName.get(variable.key)
    if (same) same.push(variable)
    else byName.set(variable.key, [variable])
  }
  return { byName, referring: variables.filter((variable) => referencesOf(variable).length > 0) }
}

/** Names that the value of a variable refers to; none for a raw one. Jobs share variables: each is read once. */
export function referencesOf(variable: ContextVariable): readonly string[] {
  const known = references.get(variable)
  if (known) return known
  const names = variable.raw ? [] : namesReferredTo(variable.value)
  references.set(variable, names)
  return names
}
