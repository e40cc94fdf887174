import { type Static, Type } from 'typebox'

import { recordOf } from '../../../../lib/record-of.js'
import { described, flag, text } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'
import { JOB_STATUSES } from '../../engine/job-statuses.js'
import { PipelineSummary } from '../schema.js'

const NullableInteger = Nullable(Type.Integer())

/** A stage of a pipeline in a list. */
export const StageSummary = Type.Object({
  name: text('Name of the stage'),
  status: described(OneOf(...JOB_STATUSES), 'Status of the stage'),
  has_warnings: flag('Whether a job of the stage failed, or was canceled, that may fail'),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'Number of jobs by status, without statuses that no job has',
  }),
})
export type StageSummary = Static<typeof StageSummary>

/** A pipeline in a list, with what a page shows of it. */
export const DetailedPipeline = Type.Object({
  ...PipelineSummary.properties,
  tag: flag('Whether `ref` is a tag'),
  user: described(Nullable(PublicUser), 'User who started the pipeline; null for a deleted account'),
  commit: described(
    Nullable(
      Type.Object({
        id: text('SHA of the commit'),
        short_id: text('First 8 digits of the SHA'),
        title: text('First line of the message'),
        author_name: text('Name of the author'),
      }),
    ),
    'Commit of the pipeline; null if the repository does not have it',
  ),
  merge_request: described(
    Nullable(
      Type.Object({
        iid: Type.Integer({ description: 'ID within the project of the merge request' }),
        project_id: Type.Integer({ description: 'ID of the project of the merge request' }),
      }),
    ),
    'Merge request of the pipeline; null if there is none',
  ),
  has_yaml_errors: flag('Whether the CI configuration has errors'),
  has_warnings: flag('Whether a job failed, or was canceled, that may fail'),
  failure_reason: described(
    NullableText,
    'Reason of the failure of the whole pipeline; null if there is none',
  ),
  started_at: described(NullableText, 'Start time of the first job; null before it'),
  finished_at: described(NullableText, 'End time; null before the end'),
  duration: described(
    NullableInteger,
    'Time during which at least one job ran, in seconds; null before the end',
  ),
  queued_duration: described(
    NullableInteger,
    'Time before the first job started, in seconds; null before it',
  ),
  coverage: described(
    NullableText,
    'Mean code coverage of the jobs, in percent, as text such as `30.0`; null if there is none',
  ),
  tests: described(
    Nullable(
      Type.Object({
        failed: Type.Integer({ description: 'Number of test cases that failed' }),
        total: Type.Integer({ description: 'Number of test cases' }),
      }),
    ),
    'Test cases in the reports of the jobs; null without a report',
  ),
  stages: Type.Array(StageSummary, { description: 'Stages, in their order' }),
  log_job_id: described(
    NullableInteger,
    'ID of the job whose log shows the state: the first that failed, else one that runs, else the last that ended; null if none has begun',
  ),
})
export type DetailedPipeline = Static<typeof DetailedPipeline>

/** The lists of pipelines of a project, by the values of `scope`. */
export const PIPELINE_TABS = ['all', 'running', 'pending', 'finished', 'branches', 'tags'] as const

/** More pipelines are not counted. */
export const MAX_COUNT = 1000

/** The length of each list. */
export const PipelineCounts = Type.Object(
  recordOf(PIPELINE_TABS, (tab) =>
    Type.Object(
      {
        count: Type.Integer({ description: `Number of pipelines, at most ${MAX_COUNT}` }),
        more: flag('Whether there are more'),
      },
      { description: tab === 'all' ? 'All pipelines' : `Pipelines in the scope \`${tab}\`` },
    ),
  ),
)
export type PipelineCounts = Static<typeof PipelineCounts>
