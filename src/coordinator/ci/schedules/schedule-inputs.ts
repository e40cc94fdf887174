import { limits } from '../../../ci-config/limits.js'
import type { ConfigData } from '../../../ci-config/plan.js'
import { invalidParameters, invalidRecord } from '../../http/errors.js'
import { readPipelineInputs } from '../../http/parameters/pipeline-inputs.js'
import type { GivenInputs } from './schema.js'

/** The inputs of a schedule after these changes. Throws 400 if they exceed the limit of a pipeline. */
export function changedInputs(
  inputs: Readonly<Record<string, ConfigData>>,
  given: GivenInputs,
): Record<string, ConfigData> {
  const changed = new Map<string, unknown>(Object.entries(inputs))
  for (const { name, value, destroy } of given) {
    if (destroy) changed.delete(name)
    else if (value === undefined) throw invalidParameters(`inputs[${name}][value] is missing`)
    else changed.set(name, value)
  }
  if (changed.size > limits.pipelineInputs) {
    throw invalidRecord({ base: [`There cannot be more than ${limits.pipelineInputs} inputs`] })
  }
  return readPipelineInputs(Object.fromEntries(changed))
}
