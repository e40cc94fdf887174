import type { ContextVariable } from '../../../../ci-config/context-variable.js'
import type { ConfigData, PlannedTrigger, PlannedVariable } from '../../../../ci-config/plan.js'
import type { PipelineVariableInput } from '../create/pipeline-request.js'
import type { VariablesOfJob } from '../jobs/job-variables.js'

/**
 * What a trigger job hands on as the variables of its pipeline, each once: those of the file, then those that its own
 * pipeline was given (CI language, 13.3). References are replaced by what they stand for in the trigger job; throws
 * `ConfigError` when that becomes too long.
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

/** Inputs with the references in their texts replaced; names that nobody defined stay. */
export function passedInputs(data: ConfigData, seen: VariablesOfJob['seen']): ConfigData {
  if (typeof data === 'string') return seen.expand(data, 'keep')
  if (data === null || typeof data !== 'object') return data
  if (isList(data)) return data.map((item) => passedInputs(item, seen))
  return Object.fromEntries(Object.entries(data).map(([key, item]) => [key, passedInputs(item, seen)]))
}

/** `Array.isArray` alone does not tell the type check about lists that cannot be changed. */
function isList(data: object): data is readonly ConfigData[] {
  return Array.isArray(data)
}
