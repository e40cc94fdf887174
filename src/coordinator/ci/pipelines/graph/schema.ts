import { type Static, Type } from 'typebox'

import { described, flag, optional, text } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { JOB_ACTIONS } from '../../engine/job-actions.js'
import { JOB_STATUSES } from '../../engine/job-statuses.js'

const NullableInteger = Nullable(Type.Integer())
const NullableNumber = Nullable(Type.Number())
const Status = OneOf(...JOB_STATUSES)

/** The runner of a job. */
export const GraphRunner = Type.Object({
  id: Type.Integer({ description: 'ID of the runner' }),
  description: described(NullableText, 'Description of the runner; null if there is none'),
})
export type GraphRunner = Static<typeof GraphRunner>

/** A pipeline that another one started, or was started by. */
export const LinkedPipeline = Type.Object({
  id: Type.Integer({ description: 'ID of the pipeline' }),
  project_id: Type.Integer({ description: 'ID of its project' }),
  project_path: text('Full path of its project'),
  status: described(Status, 'Status of the pipeline'),
})
export type LinkedPipeline = Static<typeof LinkedPipeline>

const times = {
  created_at: text('Time of creation'),
  queued_at: described(NullableText, 'Time at which the job entered the queue; null before it'),
  started_at: described(NullableText, 'Start time; null before the start'),
  finished_at: described(NullableText, 'End time; null before the end'),
  duration: described(NullableNumber, 'Run time, in seconds; null before the end and without a start'),
  queued_duration: described(NullableNumber, 'Time in the queue, in seconds; null before the start'),
  output_at: optional(
    NullableText,
    'Time at which the first part of the log arrived; null if it is not known; only when it is requested',
  ),
}

/** An attempt of a job that a newer one has replaced. */
export const GraphAttempt = Type.Object({
  id: Type.Integer({ description: 'ID of the job' }),
  status: described(Status, 'Status of the attempt'),
  ...times,
  failure_reason: described(NullableText, 'Reason of the failure; null if it did not fail'),
  runner: described(Nullable(GraphRunner), 'Runner that ran it; null if none did'),
})
export type GraphAttempt = Static<typeof GraphAttempt>

/** A job in the graph of its pipeline: the latest attempt, or a status that another system reported. */
export const GraphJob = Type.Object({
  id: Type.Integer({ description: 'ID of the job' }),
  pipeline_id: Type.Integer({ description: 'ID of the pipeline' }),
  name: text('Name of the job'),
  stage: text('Name of the stage'),
  kind: described(
    OneOf('job', 'trigger', 'external'),
    'Kind: a job of a runner, a trigger job, or a status that another system reported',
  ),
  status: described(Status, 'Status of the job'),
  when: described(
    OneOf('on_success', 'on_failure', 'always', 'manual', 'delayed'),
    'Condition on which the job runs',
  ),
  allow_failure: flag('Whether the pipeline continues when the job fails'),
  scheduling_type: described(
    OneOf('stage', 'dag'),
    'What the job waits for: all jobs of earlier stages (`stage`), or the jobs in `needs` (`dag`)',
  ),
  needs: Type.Array(Type.String(), { description: 'Names of needed jobs; some may not be in the pipeline' }),
  ...times,
  scheduled_at: described(NullableText, 'Start time of a delayed job that waits for it; null otherwise'),
  failure_reason: described(NullableText, 'Reason of the failure; null if the job did not fail'),
  waiting: described(
    NullableText,
    'Why the job is pending, stuck, or was not dispatched, as a sentence; or null',
  ),
  runner: described(Nullable(GraphRunner), 'Runner that runs or ran the job; null before a runner took it'),
  attempts: Type.Integer({ description: 'Number of attempts, this one included' }),
  earlier_attempts: optional(
    Type.Array(GraphAttempt),
    'Earlier attempts, the oldest first; only when they are requested',
  ),
  artifacts: described(NullableInteger, 'Size of the artifacts archive, in bytes; null if there is none'),
  coverage: described(NullableNumber, 'Code coverage, in percent; null if there is none'),
  environment: described(NullableText, 'Name of the environment; null if there is none'),
  group: described(NullableText, 'Common name of the instances of a parallel job; null for other jobs'),
  index: described(NullableInteger, 'Index among the instances, from 1; null for other jobs'),
  total: described(NullableInteger, 'Number of instances; null for other jobs'),
  downstream: described(
    Nullable(LinkedPipeline),
    'Pipeline that the trigger job started last or mirrors; null if there is none, or none that the caller may see',
  ),
  tags: Type.Array(Type.String(), { description: 'Tags that the runner must have' }),
  actions: Type.Array(OneOf(...JOB_ACTIONS), { description: 'Actions that the state of the job allows' }),
  manual_confirmation: described(
    NullableText,
    'Text that users must confirm before they start the job; null if there is none',
  ),
  target_url: described(NullableText, 'URL that the other system reported; null for other jobs'),
})
export type GraphJob = Static<typeof GraphJob>

/** The state of a pipeline, as it changes while the pipeline runs. */
export const PipelineState = Type.Object({
  id: Type.Integer({ description: 'ID of the pipeline' }),
  iid: Type.Integer({ description: 'ID within the project' }),
  project_id: Type.Integer({ description: 'ID of the project' }),
  status: described(Status, 'Status of the pipeline'),
  version: Type.Integer({
    description: 'Time of the last change of the pipeline or one of its jobs, in milliseconds since 1970',
  }),
  created_at: text('Time of creation'),
  started_at: described(NullableText, 'Start time of the first job; null before it'),
  finished_at: described(NullableText, 'End time; null before the end'),
  duration: described(
    NullableInteger,
    'Time during which at least one job ran, in seconds; null before the end',
  ),
  stages: Type.Array(
    Type.Object({ name: text('Name of the stage'), status: described(Status, 'Status of the stage') }),
    { description: 'Stages, in their order' },
  ),
})
export type PipelineState = Static<typeof PipelineState>

/** A pipeline with all its jobs in one response. */
export const PipelineGraph = Type.Object({
  ...PipelineState.properties,
  upstream: described(
    Nullable(LinkedPipeline),
    'Pipeline whose trigger job started this one; null if there is none, or none that the caller may see',
  ),
  jobs: Type.Array(GraphJob, { description: 'Latest attempts, in the order of the stages' }),
})
export type PipelineGraph = Static<typeof PipelineGraph>

export const GraphParameters = Type.Object({
  pipeline_id: Type.Integer({ description: 'ID of the pipeline' }),
  with_attempts: optional(Type.Boolean(), 'Whether to include the earlier attempts; false by default'),
  with_output_times: optional(
    Type.Boolean(),
    'Whether to include the time at which each log began; false by default',
  ),
})
