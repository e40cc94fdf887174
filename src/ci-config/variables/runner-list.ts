import type { ContextVariable } from '../context-variable.js'
import { expandReferences } from './expand.js'
import { resolveInOrder } from './resolve-in-order.js'
import { VariableIndex } from './variable-index.js'
import { layerOf } from './variable-layer.js'

/** Characters that references in one value, and in all of them, are replaced by at most. */
const MAX_IN_VALUE = 256 * 1024
const MAX_IN_LIST = 16 * 1024 * 1024

/**
 * Expands the references between variables, at any depth, for the list that is sent to a runner (CI language,
 * 8.3); lowest precedence first. Leaves unchanged: undefined names, names of raw and file variables (the
 * runner handles them), cycles, and values that would make the list too long.
 */
export function expandForRunner<V extends ContextVariable>(variables: readonly V[]): V[] {
  const layer = layerOf(variables)
  const index = new VariableIndex([layer])
  const expanded = new Map<V, string>()
  let leftInList = MAX_IN_LIST
  const isReferring = new Set(layer.referring)
  const isResolved = (variable: V) => expanded.has(variable) || !isReferring.has(variable)
  for (const variable of layer.referring) {
    resolveInOrder(variable, {
      next: (node) => index.referredTo(node).filter(isReplaced),
      isResolved,
      resolve: (node) => expanded.set(node, expand(node)),
    })
  }
  return variables.map((variable) => {
    const value = expanded.get(variable)
    return value === undefined ? variable : { ...variable, value }
  })

  function expand(variable: V): string {
    let left = Math.min(MAX_IN_VALUE, leftInList)
    const limit = left
    const text = expandReferences(
      variable.value,
      (name) => {
        const found = index.findFrom(variable, name)
        if (!found || !isReplaced(found) || !isResolved(found)) return undefined
        const value = expanded.get(found) ?? found.value
        if (value.length > left) return undefined
        left -= value.length
        return value
      },
      'keep',
    )
    leftInList -= limit - left
    return text
  }
}

function isReplaced({ raw, file }: ContextVariable): boolean {
  return !raw && !file
}
