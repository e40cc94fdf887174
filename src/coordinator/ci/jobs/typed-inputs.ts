import { Type } from 'typebox'

import { ConfigError } from '../../../ci-config/errors.js'
import { withGivenInputs } from '../../../ci-config/inputs/given-job-inputs.js'
import { SHOWN_ERRORS } from '../../../ci-config/inputs/interpolate.js'
import { withJobInputs } from '../../../ci-config/inputs/job-input-blocks.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError } from '../../http/errors.js'
import { readPipelineInputs } from '../../http/parameters/pipeline-inputs.js'

/** Values for the inputs that a job declares (API, I4). */
export const JobInputs = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Values for the inputs that the job declares, by name; numbers, booleans and arrays may be given as text. Other inputs keep their values',
})

/**
 * The texts that replace `${{ job.inputs.NAME }}`, by name, for the given values. Throws 400 for undeclared
 * names and invalid values (CI language, 5.4).
 */
export function typedInputs(
  { options }: Pick<JobRow, 'options'>,
  given: Readonly<Record<string, unknown>> = {},
): Map<string, string> {
  if (Object.keys(given).length === 0) return new Map()
  try {
    const outcome = withGivenInputs(options.inputs ?? [], readPipelineInputs(given))
    if (outcome.kind === 'wrong')
      throw apiError('job_inputs_invalid', { reason: outcome.errors.slice(0, SHOWN_ERRORS).join(', ') })
    withJobInputs({ ...options, inputs: outcome.inputs })
    return new Map(
      outcome.inputs.filter(({ name }) => Object.hasOwn(given, name)).map(({ name, text }) => [name, text]),
    )
  } catch (error) {
    if (error instanceof ConfigError) throw apiError('job_inputs_invalid', { reason: error.message })
    throw error
  }
}
