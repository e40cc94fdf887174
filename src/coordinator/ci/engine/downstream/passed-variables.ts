import type { ContextVariable } from '../../../../ci-config/context-variable.js'
import type { ConfigData, PlannedTrigger, PlannedVariable } from '../../../../ci-config/plan.js'
import type { PipelineVariableInput } from '../create/pipeline-request.js'
import type { VariablesOfJob } from '../jobs/job-variables.js'

/**
 * The distinct variables that a trigger job passes to its pipeline: those of the CI file, then those of its
 * own pipeline (CI language, 13.3). References are expanded in the context of the trigger job. Throws
 * `ConfigError` if the result is too long.
 */
export function passedVariables(
  { forward }: PlannedTrigger,
  ofFile: readonly PlannedVariable[],
  { seen, given }: VariablesOfJob,
): PipelineVariableInput[] {
  const passed: ContextVariable[] = [
    ...(forward.yamlVariables ? ofFile : []),
    ...(forward.pipelineVariables ? given : []),
  ]
  const byKey = new Map(passed.map((variable) => [variable.key, variable]))
  return [...byKey.values()].map(({ key, value, raw = false, file = false }) => ({
    key,
    value: raw || file ? value : seen.expand(value, 'empty'),
    variable_type: file ? 'file' : 'env_var',
    raw,
  }))
}

/** Inputs with expanded references in their texts; undefined variables are left unchanged. */
export function passedInputs(data: ConfigData, seen: VariablesOfJob['seen']): ConfigData {
  if (typeof data === 'string') return seen.expand(data, 'keep')
  if (data === null || typeof data !== 'object') return data
  if (isList(data)) return data.map((item) => passedInputs(item, seen))
  return Object.fromEntries(Object.entries(data).map(([key, item]) => [key, passedInputs(item, seen)]))
}

/** `Array.isArray` alone does not narrow the type to readonly arrays. */
function isList(data: object): data is readonly ConfigData[] {
  return Array.isArray(data)
}
