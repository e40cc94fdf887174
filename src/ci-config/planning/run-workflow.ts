import type { Config } from '../entries/read-config.js'
import type { WorkflowRule } from '../entries/workflow.js'
import { invalid, RuleError } from '../errors.js'
import { limits } from '../limits.js'
import type { PipelineContext, PlannedAutoCancel } from '../plan.js'
import { type EvaluatedRule, firstMatch } from '../selection/clauses.js'
import type { KnownFiles } from '../selection/known-files.js'
import { workflowVariables } from '../variables/sets.js'
import type { VariableCollection } from '../variables/variable-collection.js'
import type { SelectionObserver } from './selection-observer.js'
import { overlaid } from './variables-of-job.js'

/** The workflow's settings for a pipeline, before there are jobs. */
export interface WorkflowOutcome {
  /** With the variables of the matching rule at the top level. */
  config: Config
  /** Knows the pipeline's name. */
  context: PipelineContext
  name?: string
  autoCancel: PlannedAutoCancel
}

const DEFAULT_AUTO_CANCEL: PlannedAutoCancel = { onNewCommit: 'conservative', onJobFailure: 'none' }

/** Undefined if the workflow excludes the pipeline (CI language, 7.6). Throws `ConfigError`. */
export async function runWorkflow(
  config: Config,
  context: PipelineContext,
  files: KnownFiles,
  observer?: SelectionObserver,
): Promise<WorkflowOutcome | undefined> {
  const { workflow } = config
  const rule = await matchingRule(config, context, files, observer)
  if (!rule || rule.when === 'never') return undefined
  const variables = overlaid(config.variables, rule.variables ?? [])
  const name = pipelineName(workflow.name, workflowVariables(context, { yaml: variables }))
  return {
    config: { ...config, variables },
    context: name === undefined ? context : named(context, name),
    ...(name !== undefined && { name }),
    autoCancel: { ...DEFAULT_AUTO_CANCEL, ...workflow.autoCancel, ...rule.autoCancel },
  }
}

type MatchingRule = Pick<WorkflowRule, 'when' | 'variables' | 'autoCancel'>

async function matchingRule(
  { workflow, variables }: Config,
  context: PipelineContext,
  files: KnownFiles,
  observer: SelectionObserver | undefined,
): Promise<MatchingRule | undefined> {
  if (!workflow.rules) return {}
  const commit = context.origin?.commit
  const scope = {
    variables: workflowVariables(context, { yaml: variables }),
    files,
    ...(commit && { commit }),
  }
  try {
    const evaluated: EvaluatedRule[] = []
    const rule = await firstMatch(workflow.rules, scope, evaluated)
    observer?.workflow(workflow.rules, evaluated, scope.variables)
    return rule
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    throw invalid(`Failed to parse rule for workflow: ${error.message}`, ['workflow', 'rules'])
  }
}

function pipelineName(written: string | undefined, variables: VariableCollection): string | undefined {
  if (written === undefined) return undefined
  const name = Array.from(variables.expand(written, 'empty').trim()).slice(0, limits.nameLength).join('')
  return name === '' ? undefined : name
}

/** Jobs see the name (CI language, 8.7). */
function named(context: PipelineContext, name: string): PipelineContext {
  const predefined = [...context.variables.predefined, { key: 'CI_PIPELINE_NAME', value: name, raw: true }]
  return { ...context, variables: { ...context.variables, predefined } }
}
