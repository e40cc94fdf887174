import { type Static, Type } from 'typebox'

import { NullableText } from '../../http/parameters/types.js'
import { PipelineBrief } from '../../http/present-pipeline.js'
import { PublicUser } from '../../http/present-user.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** A pipeline in a list (API gaps, I3). */
export const PipelineSummary = Type.Object({
  ...PipelineBrief.properties,
  name: NullableText,
})
export type PipelineSummary = Static<typeof PipelineSummary>

/** How pages show a status. */
export const DetailedStatus = Type.Object({
  icon: Type.String(),
  text: Type.String(),
  label: Type.String(),
  group: Type.String(),
  tooltip: Type.String(),
  has_details: Type.Boolean(),
  details_path: Type.String(),
  illustration: Type.Null(),
  favicon: Type.String(),
})
export type DetailedStatus = Static<typeof DetailedStatus>

export const Pipeline = Type.Object({
  ...PipelineSummary.properties,
  before_sha: Type.String(),
  tag: Type.Boolean(),
  yaml_errors: NullableText,
  warnings: Type.Array(Type.String()),
  failure_reason: NullableText,
  /** Whether the ref was protected when the pipeline was created. */
  protected: Type.Boolean(),
  /** The newer pipeline that made it, or some of its jobs, redundant. */
  auto_canceled_by_id: NullableInteger,
  user: Type.Union([PublicUser, Type.Null()]),
  started_at: NullableText,
  finished_at: NullableText,
  committed_at: NullableText,
  /** Seconds. */
  duration: NullableInteger,
  queued_duration: NullableInteger,
  coverage: NullableText,
  detailed_status: DetailedStatus,
  archived: Type.Boolean(),
})
export type Pipeline = Static<typeof Pipeline>

export const VariableType = Type.Union([Type.Literal('env_var'), Type.Literal('file')])

export const PipelineVariable = Type.Object({
  key: Type.String(),
  variable_type: VariableType,
  value: Type.String(),
})
export type PipelineVariable = Static<typeof PipelineVariable>

export const PipelineId = Type.Object({ pipeline_id: Type.Integer() })

const Status = Type.Union([
  Type.Literal('created'),
  Type.Literal('waiting_for_resource'),
  Type.Literal('preparing'),
  Type.Literal('pending'),
  Type.Literal('running'),
  Type.Literal('success'),
  Type.Literal('failed'),
  Type.Literal('canceling'),
  Type.Literal('canceled'),
  Type.Literal('skipped'),
  Type.Literal('manual'),
  Type.Literal('scheduled'),
])
const Time = Type.Optional(Type.String({ format: 'date-time' }))

/** Filters and order of a list of pipelines. `name` and `username` are those of the user who caused them. */
export const PipelineFilters = Type.Object({
  scope: Type.Optional(
    Type.Union([
      Type.Literal('running'),
      Type.Literal('pending'),
      Type.Literal('finished'),
      Type.Literal('branches'),
      Type.Literal('tags'),
    ]),
  ),
  status: Type.Optional(Status),
  ref: Type.Optional(Type.String()),
  sha: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  yaml_errors: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  updated_after: Time,
  updated_before: Time,
  created_after: Time,
  created_before: Time,
  order_by: Type.Optional(
    Type.Union([
      Type.Literal('id'),
      Type.Literal('status'),
      Type.Literal('ref'),
      Type.Literal('updated_at'),
      Type.Literal('user_id'),
    ]),
  ),
  sort: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
})
export type PipelineFilters = Static<typeof PipelineFilters>
