import type { ContextVariable } from '../context-variable.js'
import { referencesOf, type VariableLayer } from './variable-layer.js'

/**
 * Resolves a name among several layers, lowest precedence first, to its last entry in the last layer that has
 * it. Inside the value of the same name, it resolves to the previous entry (CI language, 8.1 and 8.3).
 */
export class VariableIndex<V extends ContextVariable> {
  constructor(private readonly layers: readonly VariableLayer<V>[]) {}

  find(name: string): V | undefined {
    for (let index = this.layers.length - 1; index >= 0; index--) {
      const found = this.layers[index]?.byName.get(name)?.at(-1)
      if (found) return found
    }
    return undefined
  }

  /** Resolves a name inside the value of a variable. */
  findFrom(variable: V, name: string): V | undefined {
    if (name !== variable.key) return this.find(name)
    const entries = this.layers.flatMap(({ byName }) => byName.get(name) ?? [])
    return entries[entries.indexOf(variable) - 1]
  }

  /** The variables that the value of one refers to. */
  referredTo(variable: V): V[] {
    return referencesOf(variable)
      .map((name) => this.findFrom(variable, name))
      .filter((found) => found !== undefined)
  }

  /** Effective variables whose values contain references. */
  referring(): V[] {
    return this.layers
      .flatMap(({ referring }) => referring)
      .filter((variable) => this.find(variable.key) === variable)
  }
}
