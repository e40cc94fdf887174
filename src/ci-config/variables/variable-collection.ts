import type { ContextVariable } from '../context-variable.js'
import { expandReferences, type Unknown } from './expand.js'
import { ExpansionBudget } from './expansion-budget.js'
import { resolveInOrder } from './resolve-in-order.js'
import { VariableIndex } from './variable-index.js'
import { layerOf, referencesOf, type VariableLayer } from './variable-layer.js'

/**
 * The variables of one job or of the workflow. Values are expanded on demand and cached. Expansion throws
 * `ConfigError` if the text becomes too long.
 */
export class VariableCollection {
  private readonly index: VariableIndex<ContextVariable>
  private readonly values = new Map<ContextVariable, string>()

  /** `layers` start with the lowest precedence. */
  constructor(
    layers: readonly VariableLayer<ContextVariable>[],
    private readonly budget: ExpansionBudget = new ExpansionBudget(),
  ) {
    this.index = new VariableIndex(layers)
  }

  /** `lists` start with the lowest precedence. */
  static of(...lists: (readonly ContextVariable[])[]): VariableCollection {
    return new VariableCollection(lists.map(layerOf))
  }

  /** The raw value, as expressions compare it (CI language, 7.3). */
  get(name: string): string | undefined {
    return this.index.find(name)?.value
  }

  /** The value with all references expanded, at any depth; undefined names become empty. */
  expanded(name: string): string | undefined {
    const variable = this.index.find(name)
    return variable && this.valueOf(variable)
  }

  /** Replaces references by expanded values; `unknown` selects the handling of undefined names. */
  expand(text: string, unknown: Unknown): string {
    return this.replace(text, (name) => this.expanded(name), unknown)
  }

  /** Like `expand`, but with raw values, and keeps undefined names: for tags (CI language, 3.10). */
  expandOnce(text: string): string {
    return this.replace(text, (name) => this.get(name), 'keep')
  }

  /**
   * A message about variables that reference each other in a cycle (CI language, 8.3); undefined if there is
   * none.
   */
  cycle(): string | undefined {
    const circle = findCircle(this.index)
    return circle && `circular variable reference detected: [${circle.map((key) => `"${key}"`).join(', ')}]`
  }

  private valueOf(variable: ContextVariable): string {
    if (referencesOf(variable).length === 0) return variable.value
    resolveInOrder(variable, {
      next: (node) => this.index.referredTo(node),
      isResolved: (node) => this.values.has(node),
      resolve: (node) => this.values.set(node, this.replaceIn(node)),
    })
    return this.values.get(variable) ?? variable.value
  }

  /** A variable in a cycle with this one has no value yet and counts as undefined. */
  private replaceIn(variable: ContextVariable): string {
    if (variable.raw) return variable.value
    const valueOf = (name: string): string | undefined => {
      const found = this.index.findFrom(variable, name)
      return found && this.values.get(found)
    }
    return this.replace(variable.value, valueOf, 'empty')
  }

  private replace(text: string, valueOf: (name: string) => string | undefined, unknown: Unknown): string {
    const counted = (name: string): string | undefined => {
      const value = valueOf(name)
      this.budget.spend(value?.length ?? 0)
      return value
    }
    return expandReferences(text, counted, unknown)
  }
}

function findCircle(index: VariableIndex<ContextVariable>): string[] | undefined {
  const resolved = new Set<ContextVariable>()
  let found: ContextVariable[] | undefined
  for (const variable of index.referring()) {
    resolveInOrder(variable, {
      next: (node) => index.referredTo(node),
      isResolved: (node) => resolved.has(node),
      resolve: (node) => resolved.add(node),
      circle: (nodes) => (found ??= nodes),
    })
    if (found) return found.map(({ key }) => key)
  }
  return undefined
}
