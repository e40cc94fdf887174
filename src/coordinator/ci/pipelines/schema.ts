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
  name: described(NullableText, 'Name of the pipeline from `workflow:name`; null if there is none.'),
})
export type PipelineSummary = Static<typeof PipelineSummary>

export const PipelinesByCommit = Type.Object({
  shas: described(
    Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
    'Full SHAs of at most 100 commits; those without a pipeline are left out.',
  ),
})

/** How pages show a status. */
export const DetailedStatus = Type.Object({
  icon: described(Type.String(), 'Name of the icon.'),
  text: described(Type.String(), 'Text of the status on pages.'),
  label: described(Type.String(), 'Label of the status.'),
  group: described(Type.String(), 'Group of statuses that look alike.'),
  tooltip: described(Type.String(), 'Tooltip of the status.'),
  has_details: described(Type.Boolean(), 'Whether there is a details page.'),
  details_path: described(Type.String(), 'Path of the details page.'),
  illustration: described(Type.Null(), 'Always null.'),
  favicon: described(Type.String(), 'Path of the favicon.'),
})
export type DetailedStatus = Static<typeof DetailedStatus>

export const Pipeline = Type.Object({
  ...PipelineSummary.properties,
  before_sha: described(Type.String(), 'SHA of the commit before the push; 40 zeros if there is none.'),
  tag: described(Type.Boolean(), 'Whether `ref` is a tag.'),
  yaml_errors: described(NullableText, 'Errors in the CI configuration; null if there are none.'),
  warnings: described(Type.Array(Type.String()), 'Warnings about the CI configuration.'),
  failure_reason: described(
    NullableText,
    'Reason of the failure of the whole pipeline; null if there is none.',
  ),
  protected: described(Type.Boolean(), 'Whether the ref was protected when the pipeline was created.'),
  auto_canceled_by_id: described(
    NullableInteger,
    'Newer pipeline that made this one, or some of its jobs, redundant; null if there is none.',
  ),
  user: described(
    Type.Union([PublicUser, Type.Null()]),
    'User who started the pipeline; null for a deleted account.',
  ),
  started_at: described(NullableText, 'Start time of the first job; null before it.'),
  finished_at: described(NullableText, 'End time; null before the end.'),
  committed_at: described(NullableText, 'Always null.'),
  duration: described(
    NullableInteger,
    'Time during which at least one job ran, in seconds; null if none ran.',
  ),
  queued_duration: described(
    NullableInteger,
    'Time before the first job started, in seconds; null before it.',
  ),
  coverage: described(
    NullableText,
    'Mean code coverage of the jobs, in percent, as text such as `30.0`; null if there is none.',
  ),
  detailed_status: described(DetailedStatus, 'Status as shown on pages.'),
  archived: described(Type.Boolean(), 'Whether the pipeline is too old to be retried.'),
})
export type Pipeline = Static<typeof Pipeline>

export const VariableType = Type.Union([Type.Literal('env_var'), Type.Literal('file')])

export const PipelineVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  variable_type: described(
    VariableType,
    'Type of the variable; `file` stores the value in a file and sets the variable to its path.',
  ),
  value: described(Type.String(), 'Value of the variable.'),
})
export type PipelineVariable = Static<typeof PipelineVariable>

export const PipelineId = Type.Object({ pipeline_id: described(Type.Integer(), 'ID of the pipeline.') })

export const PipelineMetadata = Type.Object({
  ...PipelineId.properties,
  name: described(Type.String({ maxLength: 255 }), 'New name of the pipeline.'),
})

const Status = OneOf(...JOB_STATUSES)

/** Which jobs are retried. */
export const RetryOptions = Type.Object({
  from_stage: described(
    Type.Optional(Type.String()),
    'Stage from which on all ended jobs are retried, also successful ones (beyond the reference).',
  ),
  only_failed: described(
    Type.Optional(Type.Boolean()),
    'Whether to leave out jobs that were canceled or have succeeded; false by default (beyond the reference).',
  ),
  jobs: described(
    Type.Optional(Type.Array(Type.Integer(), { minItems: 1, maxItems: 1000 })),
    'IDs of the jobs to retry, also successful ones; all or none of them are retried (beyond the reference).',
  ),
})
export type RetryOptions = Static<typeof RetryOptions>

export const StageOfPipeline = Type.Object({
  ...PipelineId.properties,
  name: described(Type.String(), 'Name of the stage.'),
})

/** The effect of an action on several jobs. */
export const JobsOutcome = Type.Object({
  pipeline: Type.Object(
    {
      id: Type.Integer({ description: 'ID of the pipeline' }),
      status: described(Status, 'Status of the pipeline'),
    },
    { description: 'Pipeline after the action' },
  ),
  jobs: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'ID of the job; for a retry, of the new attempt' }),
      name: described(Type.String(), 'Name of the job'),
      status: described(Status, 'Status of the job'),
    }),
    { description: 'Jobs that were started, retried or canceled' },
  ),
  refused: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'ID of the job' }),
      name: described(Type.String(), 'Name of the job'),
      message: described(Type.String(), 'Reason as a sentence'),
    }),
    { description: 'Jobs that were left out, because the caller may not start them now' },
  ),
})
export type JobsOutcome = Static<typeof JobsOutcome>
const Time = Type.Optional(Type.String({ format: 'date-time' }))

/**
 * Filters and order of a list of pipelines. `name` and `username` belong to the user who created the
 * pipelines.
 */
export const PipelineFilters = Type.Object({
  scope: described(
    Type.Optional(OneOf('running', 'pending', 'finished', 'branches', 'tags')),
    'Scope to filter by: running, pending or finished pipelines, or the latest pipeline of each branch or tag.',
  ),
  status: described(Type.Optional(Type.Array(Status)), 'Status to filter by, or a list of statuses.'),
  ref: described(Type.Optional(Type.String()), `Branch or tag to filter by: ${REF_NAME}.`),
  sha: described(Type.Optional(Type.String()), 'SHA of the commit to filter by, all 40 digits.'),
  source: described(
    Type.Optional(Type.String()),
    'Source to filter by; without it, child pipelines are omitted.',
  ),
  yaml_errors: described(
    Type.Optional(Type.Boolean()),
    'Whether to return only pipelines with errors in the CI configuration, or only those without.',
  ),
  name: described(Type.Optional(Type.String()), 'Full name of the user who started the pipelines.'),
  username: described(Type.Optional(Type.String()), 'Username of the user who started the pipelines.'),
  updated_after: described(Time, 'Earliest time of the last change.'),
  updated_before: described(Time, 'Latest time of the last change.'),
  created_after: described(Time, 'Earliest creation time.'),
  created_before: described(Time, 'Latest creation time.'),
  order_by: described(
    Type.Optional(OneOf('id', 'status', 'ref', 'updated_at', 'user_id')),
    'Field to order by; `id` by default.',
  ),
  sort: described(Type.Optional(SortDirection), 'Sort order; `desc` by default.'),
})
export type PipelineFilters = Static<typeof PipelineFilters>
