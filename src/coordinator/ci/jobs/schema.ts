import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/presenters/present-commit.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'
import { RunnerManagerBrief } from '../../http/presenters/present-runner-manager.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { runnerFields } from '../queue/present-runner-brief.js'
import { JobDetails } from './details/schema.js'

const NullableNumber = Type.Union([Type.Number(), Type.Null()])

/** The runner as a job shows it. */
const JobRunner = Type.Object({
  ...runnerFields,
  runner_type: described(
    Type.String(),
    'Scope of the runner: `instance_type`, `group_type` or `project_type`.',
  ),
  name: described(NullableText, 'Name of the runner program; null before its first contact.'),
  online: described(
    Type.Union([Type.Boolean(), Type.Null()]),
    'Whether the runner connected recently; null if it never connected.',
  ),
  status: described(
    Type.String(),
    'Status: `online`, `offline`, `stale`, `never_contacted`, or `paused`, which takes precedence.',
  ),
})

export const JobArtifactFile = Type.Object({
  file_type: described(
    Type.String(),
    'Type of the file: `archive`, `metadata`, `trace`, `junit`, `dotenv` and others.',
  ),
  size: described(Type.Integer(), 'Size, in bytes.'),
  filename: described(Type.String(), 'Name of the file.'),
  file_format: described(
    NullableText,
    'Format: `zip`, `gzip` or `raw`; null if there is none, as for a log.',
  ),
})
export type JobArtifactFile = Static<typeof JobArtifactFile>

/**
 * The reason why a job is pending, is stuck or was not dispatched. Beyond the reference. `queue_position` is
 * present when a single job is requested, `missing_tags` with the reason of that name.
 */
export const WaitingFor = Type.Object({
  reason: described(Type.String(), 'Code of the pending reason.'),
  message: described(Type.String(), 'Pending reason as a sentence.'),
  missing_tags: described(Type.Optional(Type.Array(Type.String())), 'Tags that no suitable runner has.'),
  queue_position: described(
    Type.Optional(Type.Integer()),
    'Position in the queue, from 1; only of a job that a runner may take.',
  ),
})
export type WaitingFor = Static<typeof WaitingFor>

/** API, I4. `failure_reason` is present only for a failed job, `artifacts_file` only with an archive. */
export const Job = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  status: described(Type.String(), 'Status of the job.'),
  stage: described(Type.String(), 'Name of the stage.'),
  name: described(Type.String(), 'Name of the job.'),
  ref: described(Type.String(), 'Branch or tag of the pipeline.'),
  tag: described(Type.Boolean(), 'Whether `ref` is a tag.'),
  coverage: described(NullableNumber, 'Code coverage, in percent, from the log; null if there is none.'),
  allow_failure: described(Type.Boolean(), 'Whether the pipeline continues when the job fails.'),
  created_at: described(Type.String(), 'Time of creation.'),
  started_at: described(NullableText, 'Start time; null before the start.'),
  finished_at: described(NullableText, 'End time; null before the end.'),
  scheduled_at: described(NullableText, 'Scheduled start of a delayed job; null for other jobs.'),
  erased_at: described(NullableText, 'Time at which log and artifacts were erased; null if they were not.'),
  duration: described(NullableNumber, 'Run time, in seconds; null before the start.'),
  queued_duration: described(
    NullableNumber,
    'Time in the queue, in seconds; null before the job was queued.',
  ),
  failure_reason: described(Type.Optional(Type.String()), 'Reason of the failure; only for failed jobs.'),
  waiting_for: described(
    Type.Optional(WaitingFor),
    'Why the job is pending, stuck, or was not dispatched (beyond the reference).',
  ),
  user: described(
    Type.Union([PublicUser, Type.Null()]),
    'User who started the job; null for a deleted account.',
  ),
  commit: described(Type.Union([CommitBrief, Type.Null()]), 'Commit of the job; null if unknown.'),
  pipeline: described(PipelineBrief, 'Summary of the pipeline.'),
  project: described(
    Type.Object({
      ci_job_token_scope_enabled: described(
        Type.Boolean(),
        'Always false: access with job tokens is limited by the target projects only.',
      ),
    }),
    'Settings of the project.',
  ),
  web_url: described(Type.String(), 'URL of the job page.'),
  artifacts_file: described(
    Type.Optional(
      Type.Object({
        filename: described(Type.String(), 'Name of the file.'),
        size: described(Type.Integer(), 'Size, in bytes.'),
      }),
    ),
    'Artifacts archive; only if there is one.',
  ),
  artifacts: described(
    Type.Array(JobArtifactFile),
    'Remaining files of the job, and its log once the job has finished.',
  ),
  artifacts_expire_at: described(NullableText, 'Expiry time of the artifacts; null if they do not expire.'),
  runner: described(
    Type.Union([JobRunner, Type.Null()]),
    'Runner that runs or ran the job; null before a runner took it.',
  ),
  runner_manager: described(
    Nullable(RunnerManagerBrief),
    'Runner manager that runs or ran the job; null if unknown or deleted.',
  ),
  archived: described(Type.Boolean(), 'Whether the job is too old to be retried or started.'),
  source: described(Type.String(), 'Source of the pipeline.'),
  tag_list: described(Type.Array(Type.String()), 'Tags that the runner must have.'),
})
export type Job = Static<typeof Job>

const { artifacts_file, artifacts, artifacts_expire_at, runner, runner_manager, tag_list, ...ofAnyJob } =
  Job.properties

/** A trigger job (API, I3). */
export const Bridge = Type.Object({
  ...ofAnyJob,
  downstream_errors: described(
    Type.Array(Type.String()),
    'Reasons why the downstream pipeline could not be created, one sentence each.',
  ),
  downstream_pipeline: described(
    Type.Union([PipelineBrief, Type.Null()]),
    'Downstream pipeline that the job created or mirrors; null if there is none, or none that the caller may see.',
  ),
})
export type Bridge = Static<typeof Bridge>

/** A job in the list of its runner, which shows jobs of many projects. */
export const RunnerJob = Type.Object({
  ...Job.properties,
  ip_address: described(NullableText, 'IP address of the runner; null if unknown.'),
  project: described(
    Type.Object({
      ci_job_token_scope_enabled: described(
        Type.Boolean(),
        'Always false: access with job tokens is limited by the target projects only.',
      ),
      id: described(Type.Integer(), 'ID of the project.'),
      description: described(NullableText, 'Description of the project; null if there is none.'),
      name: described(Type.String(), 'Name of the project.'),
      name_with_namespace: described(
        Type.String(),
        'Full name of the project, with the names of its groups.',
      ),
      path: described(Type.String(), 'Path of the project, without its namespace.'),
      path_with_namespace: described(Type.String(), 'Full path of the project.'),
      created_at: described(Type.String(), 'Creation time of the project.'),
    }),
    'Project of the job.',
  ),
})
export type RunnerJob = Static<typeof RunnerJob>

const WithDetails = JobDetails.properties

/** A job with what its page shows. Beyond the reference. */
export const DetailedJob = Type.Object({ ...Job.properties, ...WithDetails })
export type DetailedJob = Static<typeof DetailedJob>

/** A trigger job with what its page shows. Beyond the reference. */
export const DetailedBridge = Type.Object({ ...Bridge.properties, ...WithDetails })
export type DetailedBridge = Static<typeof DetailedBridge>

export const JobId = Type.Object({ job_id: described(Type.Integer(), 'ID of the job.') })

/** `scope` is one status or a list of them. */
export const JobScope = Type.Object({
  scope: described(Type.Optional(Type.Array(Type.String())), 'Status to filter by, or a list of statuses.'),
})

/** Filters of every list of jobs of runners. Beyond the reference. */
export const JobFilters = Type.Object({
  name: described(Type.Optional(Type.String()), 'Name of the job to filter by (beyond the reference).'),
  search: described(
    Type.Optional(Type.String({ maxLength: 1024 })),
    'Words that the name of the job contains, in any order, case-insensitive. Words that more than 200 names contain, or in jobs of a runner, are searched for in the newest 10,000 jobs that match the other filters (beyond the reference).',
  ),
  ref: described(
    Type.Optional(Type.String()),
    `Branch or tag to filter by: ${REF_NAME} (beyond the reference).`,
  ),
  runner_id: described(
    Type.Optional(Type.Integer()),
    'ID of the runner to filter by (beyond the reference).',
  ),
  tag: described(
    Type.Optional(Type.String()),
    'Tag of the runner to filter by, in the newest 10,000 jobs that match the other filters (beyond the reference).',
  ),
})
export type JobFilters = Static<typeof JobFilters>
