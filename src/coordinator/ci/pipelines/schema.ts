import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { JOB_STATUSES } from '../engine/job-statuses.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** A pipeline in a list (API, I3). */
export const PipelineSummary = Type.Object({
  ...PipelineBrief.properties,
  name: described(NullableText, 'Name that the CI file gives it (`workflow:name`); null = none.'),
})
export type PipelineSummary = Static<typeof PipelineSummary>

/** How pages show a status. */
export const DetailedStatus = Type.Object({
  icon: described(Type.String(), 'Name of a picture.'),
  text: described(Type.String(), 'The status as pages show it.'),
  label: described(Type.String(), 'The same in a sentence.'),
  group: described(Type.String(), 'Class of statuses that look alike.'),
  tooltip: described(Type.String(), 'The same as a hint.'),
  has_details: described(Type.Boolean(), 'Whether there is a page about it.'),
  details_path: described(Type.String(), 'Path of that page.'),
  illustration: described(Type.Null(), 'Always null.'),
  favicon: described(Type.String(), 'Path of a small picture.'),
})
export type DetailedStatus = Static<typeof DetailedStatus>

export const Pipeline = Type.Object({
  ...PipelineSummary.properties,
  before_sha: described(Type.String(), 'The commit that the branch had before; 40 zeros = none.'),
  tag: described(Type.Boolean(), 'Whether `ref` is a tag.'),
  yaml_errors: described(NullableText, 'What is wrong with the CI file; null = nothing.'),
  warnings: described(Type.Array(Type.String()), 'What the CI file does that is better done otherwise.'),
  failure_reason: described(NullableText, 'Why it failed as a whole; null when it did not.'),
  protected: described(Type.Boolean(), 'Whether the ref was protected when the pipeline was created.'),
  auto_canceled_by_id: described(
    NullableInteger,
    'The newer pipeline that made it, or some of its jobs, redundant; null = none.',
  ),
  user: described(Type.Union([PublicUser, Type.Null()]), 'Who started it; null when the account is gone.'),
  started_at: described(NullableText, 'When its first job began; null = not yet.'),
  finished_at: described(NullableText, 'When it ended; null = not yet.'),
  committed_at: described(NullableText, 'Always null.'),
  duration: described(NullableInteger, 'Seconds in which at least one of its jobs ran; null = none has.'),
  queued_duration: described(NullableInteger, 'Seconds before its first job began; null = not yet.'),
  coverage: described(NullableText, 'Per cent, the mean of its jobs, as text such as `30.0`; null = none.'),
  detailed_status: described(DetailedStatus, 'How pages show its status.'),
  archived: described(Type.Boolean(), 'Whether it is too old to be run again; always false.'),
})
export type Pipeline = Static<typeof Pipeline>

export const VariableType = Type.Union([Type.Literal('env_var'), Type.Literal('file')])

export const PipelineVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  variable_type: described(VariableType, '`file`: the variable holds the path of a file with the value.'),
  value: described(Type.String(), 'Its value.'),
})
export type PipelineVariable = Static<typeof PipelineVariable>

export const PipelineId = Type.Object({ pipeline_id: described(Type.Integer(), 'Number of the pipeline.') })

export const PipelineMetadata = Type.Object({
  ...PipelineId.properties,
  name: described(Type.String({ maxLength: 255 }), 'Its new name.'),
})

const Status = OneOf(...JOB_STATUSES)
const Time = Type.Optional(Type.String({ format: 'date-time' }))

/** Filters and order of a list of pipelines. `name` and `username` are those of the user who caused them. */
export const PipelineFilters = Type.Object({
  scope: described(
    Type.Optional(OneOf('running', 'pending', 'finished', 'branches', 'tags')),
    'Only those that are running, pending or finished; or the latest of each branch, or of each tag.',
  ),
  status: described(Type.Optional(Status), 'Only those in this status.'),
  ref: described(Type.Optional(Type.String()), `Only those of this branch or tag: ${REF_NAME}.`),
  sha: described(Type.Optional(Type.String()), 'Only those of this commit, as all 40 digits.'),
  source: described(
    Type.Optional(Type.String()),
    'Only those that were started by this; without it children of other pipelines are left out.',
  ),
  yaml_errors: described(
    Type.Optional(Type.Boolean()),
    'Only those with errors in the CI file, or only those without.',
  ),
  name: described(Type.Optional(Type.String()), 'Only those that a user of this full name started.'),
  username: described(Type.Optional(Type.String()), 'Only those that this user started.'),
  updated_after: described(Time, 'Only those changed at this time or later.'),
  updated_before: described(Time, 'Only those changed at this time or earlier.'),
  created_after: described(Time, 'Only those made at this time or later.'),
  created_before: described(Time, 'Only those made at this time or earlier.'),
  order_by: described(
    Type.Optional(OneOf('id', 'status', 'ref', 'updated_at', 'user_id')),
    'What the list is ordered by; `id` by default.',
  ),
  sort: described(Type.Optional(SortDirection), '`desc` by default.'),
})
export type PipelineFilters = Static<typeof PipelineFilters>
