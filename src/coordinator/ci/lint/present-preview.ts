import { describedVariables } from '../../../ci-config/entries/described-variables.js'
import { PatternWork } from '../../../ci-config/expressions/pattern-work.js'
import { offeredInputs } from '../../../ci-config/inputs/input-values.js'
import type { OfferedInput as Offered } from '../../../ci-config/inputs/input-values.js'
import { dataOf } from '../../../ci-config/yaml/config-data.js'
import type { LintInspection } from '../engine/create/lint-config.js'
import { errorsOf, warningsOf } from './present.js'
import type { OfferedInput, PipelinePreview } from './preview-schema.js'

export function presentPreview(inspection: LintInspection, maySetVariables: boolean): PipelinePreview {
  const { inputs, merged, config, result } = inspection
  const errors = errorsOf(result)
  return {
    valid: errors.length === 0,
    errors,
    warnings: warningsOf(result),
    jobs:
      result.kind === 'plan'
        ? result.plan.jobs.map(({ name, stage, when, allowFailure, environment }) => ({
            name,
            stage,
            when,
            allow_failure: allowFailure,
            environment: environment?.name ?? null,
          }))
        : [],
    inputs: inputs ? offeredInputs(inputs.specs, inputs.given, new PatternWork()).map(presentInput) : [],
    // Only a valid file has variables of the right shape.
    variables: merged && config ? describedVariables(merged) : [],
    may_set_variables: maySetVariables,
  }
}

function presentInput({ name, type, default: value, options, ...rest }: Offered): OfferedInput {
  return {
    name,
    type,
    description: rest.description ?? null,
    required: value === undefined,
    default: value === undefined ? null : dataOf(value),
    options: options?.map(dataOf) ?? null,
    regex: rest.regex ?? null,
    problem: rest.problem ?? null,
  }
}
