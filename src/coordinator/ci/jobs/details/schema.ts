import { type Static, Type } from 'typebox'

import { described, flag, optional, text } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { JOB_ACTIONS } from '../../engine/job-actions.js'
import { JOB_STATUSES } from '../../engine/job-statuses.js'

const Status = OneOf(...JOB_STATUSES)
const NullableInteger = Nullable(Type.Integer())
const NullableNumber = Nullable(Type.Number())

/** A job that another one refers to. */
export const LinkedJob = Type.Object({
  id: Type.Integer({ description: 'ID of the job' }),
  name: text('Name of the job'),
  status: described(Status, 'Status of the job'),
})
export type LinkedJob = Static<typeof LinkedJob>

/** A runner that may take a waiting job. */
export const WaitingRunner = Type.Object({
  id: Type.Integer({ description: 'ID of the runner' }),
  description: described(NullableText, 'Description of the runner; null if there is none'),
  runner_type: text('Scope of the runner: `instance_type`, `group_type` or `project_type`'),
  status: text('Status: `online`, `offline`, `stale`, `never_contacted`, or `paused`'),
  running_jobs: Type.Integer({ description: 'Number of jobs that it runs' }),
})
export type WaitingRunner = Static<typeof WaitingRunner>

/** Why a job does not run yet, and what would help. */
export const JobWaiting = Type.Object({
  reason: described(
    OneOf(
      ...(['needs', 'stage', 'manual', 'approval', 'delayed', 'resource_group', 'downstream'] as const),
      ...(['no_runner', 'missing_tags', 'untagged', 'protected', 'paused', 'offline'] as const),
      ...(['busy', 'queued'] as const),
    ),
    'Code of the reason',
  ),
  message: text('Reason as a sentence'),
  help: described(NullableText, 'What would help, as a sentence; null if only time does'),
  queue_position: described(
    NullableInteger,
    'Position in the queue of the runners, or among the jobs that wait for the resource, from 1; null if there is none',
  ),
  missing_tags: optional(Type.Array(Type.String()), 'Tags that no suitable runner has'),
  nearest: optional(
    Type.Object({
      tags: Type.Array(Type.String(), { description: 'All tags of these runners' }),
      missing_tags: Type.Array(Type.String(), { description: 'Tags of the job that they lack' }),
    }),
    'Runners that lack the fewest tags; only with missing tags, and if a runner has one of them',
  ),
  matching: optional(
    Type.Object({
      total: Type.Integer({ description: 'Number of runners' }),
      online: Type.Integer({ description: 'Number of runners that are online and not paused' }),
      busy: Type.Integer({ description: 'Of these, number of runners with at least one job' }),
      paused: Type.Integer({ description: 'Number of paused runners' }),
      offline: Type.Integer({ description: 'Number of other runners' }),
    }),
    'Runners that may take the job; only for jobs in their queue',
  ),
  runners: optional(
    Type.Array(WaitingRunner),
    'Up to 10 of the matching runners, those with the latest contact first; only for callers who may manage the runners of the project',
  ),
  blocked_by: Type.Array(LinkedJob, {
    description:
      'Up to 10 jobs that must end first: needed ones, those of earlier stages, or the one that holds the resource',
  }),
})
export type JobWaiting = Static<typeof JobWaiting>

/** An attempt of a job. */
export const JobAttempt = Type.Object({
  id: Type.Integer({ description: 'ID of the job' }),
  status: described(Status, 'Status of the attempt'),
  created_at: text('Time of creation'),
  started_at: described(NullableText, 'Start time; null before the start'),
  finished_at: described(NullableText, 'End time; null before the end'),
  duration: described(NullableNumber, 'Run time, in seconds; null before the end and without a start'),
  failure_reason: described(NullableText, 'Reason of the failure; null if it did not fail'),
})
export type JobAttempt = Static<typeof JobAttempt>

/** What a page shows of a job, beside its record. */
export const JobDetails = Type.Object({
  kind: described(OneOf('job', 'trigger'), 'Kind: a job of a runner, or a trigger job'),
  when: described(
    OneOf('on_success', 'on_failure', 'always', 'manual', 'delayed'),
    'Condition on which the job runs',
  ),
  actions: Type.Array(OneOf(...JOB_ACTIONS), { description: 'Actions that the state of the job allows' }),
  exit_code: described(NullableInteger, 'Exit code of the script; null if unknown'),
  timeout: Type.Integer({ description: 'Maximum run time, in seconds' }),
  debug_trace: flag('Whether the log shows every command and variable, so that only developers may read it'),
  artifacts_access: described(
    OneOf('all', 'developer', 'maintainer', 'none'),
    'Who may download the artifacts',
  ),
  artifacts_expired_at: described(
    NullableText,
    'Expiry time of an archive whose bytes were deleted; null if it is there, or if there was none',
  ),
  artifacts_kept_for: described(
    NullableText,
    'Branch or tag of which this pipeline is the latest successful one, which keeps its artifacts beyond their expiry; null if the artifacts are not kept so, or if there is no archive',
  ),
  attempts: Type.Array(JobAttempt, { description: 'All attempts of the job, the oldest first' }),
  needs: Type.Array(LinkedJob, {
    description: 'Jobs in `needs`, without those that are not in the pipeline',
  }),
  needed_by: Type.Array(LinkedJob, { description: 'Jobs that have this one in their `needs`' }),
  environment: described(
    Nullable(
      Type.Object({
        id: Type.Integer({ description: 'ID of the environment' }),
        name: text('Name of the environment'),
        action: text('What the job does with it: `start`, `stop`, `prepare`, `verify` or `access`'),
      }),
    ),
    'Environment of the job; null if there is none',
  ),
  resource_group: described(NullableText, 'Key of the resource group; null if there is none'),
  variables: Type.Array(Type.String(), {
    description: 'Names of the variables that a user set when starting the job',
  }),
  variable_values: described(
    Nullable(
      Type.Array(Type.Object({ key: text('Name of the variable'), value: text('Value of the variable') })),
    ),
    'The same with their values, for those who may read the variables of pipelines; null for others',
  ),
  inputs: Type.Array(
    Type.Object({
      name: text('Name of the input'),
      type: text('Type: `string`, `number`, `boolean` or `array`'),
      value: text('Value, as text'),
      description: described(NullableText, 'Description; null if there is none'),
      options: described(Nullable(Type.Array(Type.Unknown())), 'Allowed values; null if all are'),
    }),
    { description: 'Inputs that a user can set when starting the job' },
  ),
  is_held: described(
    Type.Boolean(),
    'Whether the runner keeps the container of the ended job for people who look at it',
  ),
  opens_shells: described(Type.Boolean(), 'Whether the job runs, and its runner opens shells in it'),
  manual_confirmation: described(
    NullableText,
    'Text that users must confirm before they start the job; null if there is none',
  ),
  expected: described(
    NullableNumber,
    'Expected run time, in seconds: the median of the last ten successes of this job on the ref; null without any',
  ),
  waiting: described(
    Nullable(JobWaiting),
    'Why the job does not run yet; null for a job that runs or has ended',
  ),
})
export type JobDetails = Static<typeof JobDetails>
