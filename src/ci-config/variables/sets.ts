import type { ContextVariable } from '../context-variable.js'
import type { PipelineContext } from '../plan.js'
import { EventVariables } from './event-variables.js'
import { VariableCollection } from './variable-collection.js'
import { layerOf } from './variable-layer.js'

type Context = Pick<PipelineContext, 'variables'>

/** The variables that a job adds to those of its event. */
export interface JobLayers {
  /** `CI_JOB_NAME` and other variables about the job. */
  predefined?: readonly ContextVariable[]
  /** Variables of the file, lowest precedence first: top level, `workflow:rules`, job, its matching rule. */
  yaml: readonly ContextVariable[]
  /** Expanded name of its environment: settings variables of other environments are left out. */
  environment?: string
}

/** The variables for the rules, tags and names of a job (CI language, 8.1 and 8.6). */
export function jobVariables({ variables }: Context, layers: JobLayers): VariableCollection {
  const event = EventVariables.of(variables)
  const settings = event.settingsFor(layers.environment)
  return new VariableCollection(
    [
      layerOf(layers.predefined ?? []),
      event.predefined,
      event.predefinedForJobs,
      layerOf(layers.yaml),
      event.user,
      settings,
      event.pipeline,
    ],
    event.budget,
  )
}

/** The variables for `workflow`; `yaml` are the top-level variables of the file (CI language, 8.6). */
export function workflowVariables(
  { variables }: Context,
  { yaml }: { yaml: readonly ContextVariable[] },
): VariableCollection {
  const event = EventVariables.of(variables)
  const settings = event.settingsFor(undefined)
  return new VariableCollection(
    [event.predefined, layerOf(yaml), event.user, settings, event.pipeline],
    event.budget,
  )
}

/** The variables for `include`, without those of the file (CI language, 4.3). */
export function includeVariables({ variables }: Context): VariableCollection {
  const event = EventVariables.of(variables)
  return new VariableCollection(
    [event.predefined, event.settingsFor(undefined), event.pipeline],
    event.budget,
  )
}
