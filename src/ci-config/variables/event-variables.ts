import type { ContextVariable, ContextVariables } from '../context-variable.js'
import { isInScope } from './environment-scope.js'
import { ExpansionBudget } from './expansion-budget.js'
import { layerOf, type VariableLayer } from './variable-layer.js'

type Layer = VariableLayer<ContextVariable>

/** The variables of an event, prepared once for all jobs that are compiled for it. */
export class EventVariables {
  private static readonly known = new WeakMap<ContextVariables, EventVariables>()

  readonly predefined: Layer
  readonly predefinedForJobs: Layer
  readonly user: Layer
  readonly pipeline: Layer
  /** All collections of one event share this budget. */
  readonly budget = new ExpansionBudget()
  /** Most projects have no scopes: one layer then applies to every environment. */
  private readonly hasScopes: boolean
  private readonly settingsByEnvironment = new Map<string | undefined, Layer>()

  private constructor(private readonly variables: ContextVariables) {
    this.predefined = layerOf(variables.predefined)
    this.predefinedForJobs = layerOf(variables.predefinedForJobs ?? [])
    this.user = layerOf(variables.user)
    this.pipeline = layerOf(variables.pipeline)
    this.hasScopes = variables.settings.some(({ environmentScope = '*' }) => environmentScope !== '*')
  }

  static of(variables: ContextVariables): EventVariables {
    const event = this.known.get(variables) ?? new EventVariables(variables)
    this.known.set(variables, event)
    return event
  }

  /** Settings variables that a job of the environment sees (CI language, 8.1). */
  settingsFor(environment: string | undefined): Layer {
    const key = this.hasScopes ? environment : undefined
    const known = this.settingsByEnvironment.get(key)
    if (known) return known
    const layer = layerOf(
      this.variables.settings.filter(({ environmentScope = '*' }) =>
        isInScope(environmentScope, environment),
      ),
    )
    this.settingsByEnvironment.set(key, layer)
    return layer
  }
}
