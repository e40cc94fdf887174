import { type Static, Type } from 'typebox'

import { described, flag, text } from '../../http/parameters/described.js'
import { PipelineInputs } from '../../http/parameters/pipeline-inputs.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

/** An input of the CI file, for a form. */
export const OfferedInput = Type.Object({
  name: text('Name of the input'),
  type: text('`string`, `number`, `boolean` or `array`; any other text is an error of the file'),
  description: described(NullableText, 'Description; null if there is none'),
  required: flag('Whether there is no default value'),
  default: Type.Unknown({ description: 'Default value after the given values; null without one' }),
  options: described(
    Nullable(Type.Array(Type.Unknown())),
    'Values that are allowed after the given values; null if any is allowed',
  ),
  regex: described(NullableText, 'Regular expression that the value must match; null if there is none'),
  problem: described(
    NullableText,
    'What is wrong with the given value, or that it is missing; null if nothing is wrong',
  ),
})
export type OfferedInput = Static<typeof OfferedInput>

/** A variable of the CI file with a description or options, for a form. */
export const OfferedVariable = Type.Object({
  key: text('Name of the variable'),
  value: text('Value in the CI file'),
  description: text('Description; empty if there is none'),
  options: Type.Array(Type.String(), { description: 'Values to choose from; empty if any is allowed' }),
})
export type OfferedVariable = Static<typeof OfferedVariable>

/** What a pipeline would contain, and what the user may set for it. */
export const PipelinePreview = Type.Object({
  valid: flag('Whether the pipeline would be created with jobs'),
  errors: Type.Array(Type.String(), { description: 'Why it would not' }),
  warnings: Type.Array(Type.String(), { description: 'Warnings about the CI file' }),
  jobs: Type.Array(
    Type.Object({
      name: text('Name of the job'),
      stage: text('Stage of the job'),
      when: text('When the job runs'),
      allow_failure: flag('Whether the pipeline continues when the job fails'),
      environment: described(NullableText, 'Name of the environment; null if there is none'),
    }),
    { description: 'Jobs of the pipeline, in the order of their stages' },
  ),
  inputs: Type.Array(OfferedInput, { description: 'Inputs that the CI file declares' }),
  variables: Type.Array(OfferedVariable, {
    description: 'Variables that the CI file describes; empty while an input has a problem',
  }),
  may_set_variables: flag('Whether the caller may set variables of pipelines'),
})
export type PipelinePreview = Static<typeof PipelinePreview>

export const PreviewPipeline = Type.Object({
  ref: described(Type.String({ minLength: 1 }), 'Branch or tag'),
  source: described(
    Type.Optional(OneOf('web', 'api', 'schedule')),
    'Source of the pipeline; `web` by default',
  ),
  inputs: described(Type.Optional(PipelineInputs), 'Values for the inputs of the CI file, by name'),
  variables: described(
    Type.Optional(
      Type.Array(
        Type.Object({
          key: described(Type.String({ minLength: 1 }), 'Name of the variable'),
          value: described(Type.String(), 'Value of the variable'),
          variable_type: described(
            Type.Optional(OneOf('env_var', 'file')),
            'Type of the variable; `env_var` by default',
          ),
        }),
      ),
    ),
    'Variables of the pipeline',
  ),
})
export type PreviewPipeline = Static<typeof PreviewPipeline>
