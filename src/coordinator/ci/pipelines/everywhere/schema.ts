import { type Static, Type } from 'typebox'

import { described, flag, text } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { JOB_STATUSES } from '../../engine/job-statuses.js'
import { DetailedPipeline } from '../details/schema.js'
import { PipelineSummary } from '../schema.js'

const Status = OneOf(...JOB_STATUSES)
const NullableInteger = Nullable(Type.Integer())

/** The project of a record in a list of many projects. */
export const ProjectBrief = Type.Object({
  id: Type.Integer({ description: 'ID of the project' }),
  name: text('Name of the project'),
  path_with_namespace: text('Full path of the project'),
})
export type ProjectBrief = Static<typeof ProjectBrief>

const WithProject = { project: described(ProjectBrief, 'Project of the pipeline') }

/** A pipeline in a list of pipelines of many projects. */
export const PipelineEverywhere = Type.Object({ ...PipelineSummary.properties, ...WithProject })
export type PipelineEverywhere = Static<typeof PipelineEverywhere>

/** As `PipelineEverywhere`, with details. */
export const DetailedPipelineEverywhere = Type.Object({ ...DetailedPipeline.properties, ...WithProject })
export type DetailedPipelineEverywhere = Static<typeof DetailedPipelineEverywhere>

const SCOPES = ['running', 'pending', 'finished', 'recent'] as const

export const EverywhereParameters = Type.Object({
  mine: described(Type.Optional(Type.Boolean()), 'Whether to list only pipelines that the caller started.'),
  scope: described(
    Type.Optional(Type.Array(OneOf(...SCOPES))),
    'Scope, or a list of scopes: pipelines that run or are about to (`running`), wait for a runner (`pending`), have ended (`finished`), or have ended within the last hour (`recent`).',
  ),
  status: described(Type.Optional(Type.Array(Status)), 'Status to filter by, or a list of statuses.'),
  membership: described(
    Type.Optional(Type.Boolean()),
    'Whether to list only pipelines of projects of which the caller is a member.',
  ),
  group: described(
    Type.Optional(Type.String({ minLength: 1 })),
    'ID or full path of a group; lists only pipelines of projects in it and in its subgroups.',
  ),
  ref: described(Type.Optional(Type.String()), 'Short name of the branch or tag to filter by.'),
  search: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'Words, each a part of the ref, of the name or of the name of the user, or the first digits of the SHA, or the ID. They are searched for in the newest 50,000 pipelines of the instance.',
  ),
  source: described(
    Type.Optional(Type.String()),
    'Source to filter by; without it, child pipelines are omitted.',
  ),
  with_details: described(
    Type.Optional(Type.Boolean()),
    'Whether to add commit, stages, tests and times; false by default.',
  ),
})
export type EverywhereParameters = Static<typeof EverywhereParameters>

/** A manual job that waits for the caller. */
export const WaitingJob = Type.Object({
  id: Type.Integer({ description: 'ID of the job' }),
  name: text('Name of the job'),
  stage: text('Name of the stage'),
  environment: described(NullableText, 'Name of the environment; null if there is none'),
  manual_confirmation: described(
    NullableText,
    'Text that users must confirm before they start the job; null if there is none',
  ),
  pipeline: Type.Object(
    {
      id: Type.Integer({ description: 'ID of the pipeline' }),
      iid: Type.Integer({ description: 'ID within the project' }),
      ref: text('Branch or tag of the pipeline'),
      name: described(NullableText, 'Name of the pipeline; null if there is none'),
      created_at: text('Time of creation'),
    },
    { description: 'Pipeline of the job' },
  ),
  project: described(ProjectBrief, 'Project of the job'),
})
export type WaitingJob = Static<typeof WaitingJob>

/** A schedule that was deactivated because it failed. */
export const FailedSchedule = Type.Object({
  id: Type.Integer({ description: 'ID of the schedule' }),
  description: text('Description of the schedule'),
  ref: text('Branch or tag, as `refs/heads/<name>` or `refs/tags/<name>`'),
  last_failure: text('Why it was deactivated'),
  updated_at: text('Time of the last change'),
  project: described(ProjectBrief, 'Project of the schedule'),
})
export type FailedSchedule = Static<typeof FailedSchedule>

/** Jobs, schedules and pipelines that wait for the caller; each list has at most 20 entries. */
export const PipelineAttention = Type.Object({
  manual_jobs: Type.Array(WaitingJob, {
    description:
      'Manual jobs that the caller may start, in the newest pipelines of their refs that the caller started within 30 days',
  }),
  schedules: Type.Array(FailedSchedule, {
    description: 'Schedules of the caller that were deactivated, with the reason',
  }),
  failed_pipelines: Type.Array(DetailedPipelineEverywhere, {
    description: 'Pipelines of the caller that failed on a default branch, if there is no newer one',
  }),
})
export type PipelineAttention = Static<typeof PipelineAttention>

/** A pipeline as a bar in a chart. */
const PipelineBar = Type.Object({
  id: Type.Integer({ description: 'ID of the pipeline' }),
  status: described(Status, 'Status of the pipeline'),
  duration: described(NullableInteger, 'Run time, in seconds; null before the end'),
})
type PipelineBar = Static<typeof PipelineBar>

/** The last pipelines of the default branch of a project. */
export const PipelinesSummary = Type.Object({
  project_id: Type.Integer({ description: 'ID of the project' }),
  last_pipeline: described(
    Nullable(PipelineSummary),
    'Last pipeline of the default branch; null if there is none',
  ),
  pipelines: Type.Array(PipelineBar, {
    description: 'Last 20 pipelines of the default branch, the oldest first',
  }),
  running: Type.Integer({ description: 'Number of pipelines of all refs that run or are about to' }),
})
export type PipelinesSummary = Static<typeof PipelinesSummary>

/** The state of the default branches in the subgroups of a group. */
export const SubgroupStatuses = Type.Object({
  subgroups: Type.Array(
    Type.Object({
      group_id: Type.Integer({ description: 'ID of the subgroup' }),
      statuses: Type.Record(Type.String(), Type.Integer(), {
        description:
          'Number of its projects, and of those of its subgroups, by the status of the last pipeline of the default branch',
      }),
    }),
    { description: 'Direct subgroups with a pipeline that the caller may read' },
  ),
  truncated: flag('Whether there are more projects than were counted'),
})
export type SubgroupStatuses = Static<typeof SubgroupStatuses>

export const SummaryParameters = Type.Object({
  ids: described(
    Type.Array(Type.Integer(), { minItems: 1, maxItems: 100 }),
    'IDs of projects; those whose pipelines the caller may not read are left out.',
  ),
})
