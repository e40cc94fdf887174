import { Type } from 'typebox'

import { limits } from '../../../ci-config/limits.js'
import type { ConfigData } from '../../../ci-config/plan.js'
import { invalidParameters } from '../errors.js'

/**
 * Values for the inputs of a CI file by name (CI language, 5.2); forms contain texts, JSON contains typed
 * values.
 */
export const PipelineInputs = Type.Record(Type.String(), Type.Unknown())

/** Throws 400 for a value that is invalid in CI files. */
export function readPipelineInputs(inputs: Record<string, unknown> = {}): Record<string, ConfigData> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      if (!isConfigData(value)) throw invalidParameters(`inputs[${name}] is invalid`)
      return [name, value]
    }),
  )
}

/** Nested no deeper than a CI file may be. */
function isConfigData(value: unknown, levels: number = limits.yamlDepth): value is ConfigData {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (typeof value !== 'object' || levels === 0) return false
  return Object.values(value).every((item) => isConfigData(item, levels - 1))
}
