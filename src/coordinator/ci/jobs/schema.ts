import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/presenters/present-commit.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'
import { RunnerManagerBrief } from '../../http/presenters/present-runner-manager.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const NullableNumber = Type.Union([Type.Number(), Type.Null()])

/** The runner as a job shows it. */
export const JobRunner = Type.Object({
  id: described(Type.Integer(), 'Number of the runner.'),
  description: described(NullableText, 'What its users call it; null = nothing.'),
  ip_address: described(NullableText, 'Address the runner was last heard from; null = never.'),
  active: described(Type.Boolean(), 'False while the runner is paused; the older form of `paused`.'),
  paused: described(Type.Boolean(), 'Whether the runner is given no jobs.'),
  is_shared: described(Type.Boolean(), 'Whether the runner works for the whole instance.'),
  runner_type: described(Type.String(), '`instance_type`, `group_type` or `project_type`.'),
  name: described(NullableText, 'Name of the program; null until it was heard from.'),
  online: described(
    Type.Union([Type.Boolean(), Type.Null()]),
    'Whether it was heard from of late; null = never heard from.',
  ),
  status: described(
    Type.String(),
    '`online`, `offline`, `stale`, `never_contacted`, or `paused`, which comes first.',
  ),
})
export type JobRunner = Static<typeof JobRunner>

export const JobArtifactFile = Type.Object({
  file_type: described(
    Type.String(),
    'What it is: `archive`, `metadata`, `trace`, `junit`, `dotenv` and the like.',
  ),
  size: described(Type.Integer(), 'Bytes.'),
  filename: described(Type.String(), 'Name of the file.'),
  file_format: described(NullableText, '`zip`, `gzip` or `raw`; null = none, as of a trace.'),
})
export type JobArtifactFile = Static<typeof JobArtifactFile>

/**
 * What a pending job waits for, a stuck one waited for in vain, or one that was not handed out lacks. Beyond the reference. `queue_position` is there when
 * one job is asked for, `missing_tags` with the reason of that name.
 */
export const WaitingFor = Type.Object({
  reason: described(Type.String(), 'A word for the reason.'),
  message: described(Type.String(), 'The same as a sentence.'),
  missing_tags: described(
    Type.Optional(Type.Array(Type.String())),
    'Tags that no runner has which could take the job.',
  ),
  queue_position: described(
    Type.Optional(Type.Integer()),
    'How many jobs go before it, plus one; only where one job is asked for.',
  ),
})
export type WaitingFor = Static<typeof WaitingFor>

/** API, I4. `failure_reason` is there only for a failed job, `artifacts_file` only with an archive. */
export const Job = Type.Object({
  id: described(Type.Integer(), 'Number of the job.'),
  status: described(Type.String(), 'How it stands.'),
  stage: described(Type.String(), 'Name of its stage.'),
  name: described(Type.String(), 'Name of the job.'),
  ref: described(Type.String(), 'Branch or tag of its pipeline.'),
  tag: described(Type.Boolean(), 'Whether `ref` is a tag.'),
  coverage: described(NullableNumber, 'Per cent that its log told; null = none.'),
  allow_failure: described(Type.Boolean(), 'Whether its failure fails the pipeline.'),
  created_at: described(Type.String(), 'When it was made.'),
  started_at: described(NullableText, 'When a runner took it; null = not yet.'),
  finished_at: described(NullableText, 'When it ended; null = not yet.'),
  scheduled_at: described(NullableText, 'When a delayed job is to start; null for every other.'),
  erased_at: described(NullableText, 'When its log and artifacts were erased; null = they were not.'),
  duration: described(NullableNumber, 'Seconds that it ran or has run; null before.'),
  queued_duration: described(NullableNumber, 'Seconds that it waited for a runner; null before.'),
  failure_reason: described(Type.Optional(Type.String()), 'Why it failed; only of a failed job.'),
  waiting_for: described(
    Type.Optional(WaitingFor),
    'What a pending job waits for, a stuck one waited for in vain, or one that was not handed out lacks (beyond the reference).',
  ),
  user: described(Type.Union([PublicUser, Type.Null()]), 'Who started it; null when the account is gone.'),
  commit: described(Type.Union([CommitBrief, Type.Null()]), 'The commit that it is about; null = unknown.'),
  pipeline: described(PipelineBrief, 'Its pipeline, in short.'),
  project: described(
    Type.Object({
      ci_job_token_scope_enabled: described(
        Type.Boolean(),
        'Always false: where its jobs get to with their tokens is said by the projects there.',
      ),
    }),
    'Settings of its project.',
  ),
  web_url: described(Type.String(), 'Its page.'),
  artifacts_file: described(
    Type.Optional(
      Type.Object({
        filename: described(Type.String(), 'Name of the file.'),
        size: described(Type.Integer(), 'Bytes.'),
      }),
    ),
    'Its archive; only when there is one.',
  ),
  artifacts: described(
    Type.Array(JobArtifactFile),
    'Every file that it has left, and its log once it has ended.',
  ),
  artifacts_expire_at: described(NullableText, 'When its artifacts are removed; null = never.'),
  runner: described(Type.Union([JobRunner, Type.Null()]), 'The runner that has or had it; null = none yet.'),
  runner_manager: described(
    Nullable(RunnerManagerBrief),
    'The machine of that runner; null = not known, or forgotten.',
  ),
  archived: described(Type.Boolean(), 'Whether it is too old to be run again; always false.'),
  source: described(Type.String(), 'What started its pipeline.'),
  tag_list: described(Type.Array(Type.String()), 'Tags that its runner must have.'),
})
export type Job = Static<typeof Job>

const { artifacts_file, artifacts, artifacts_expire_at, runner, runner_manager, tag_list, ...ofAnyJob } =
  Job.properties

/** A trigger job (API, I3). */
export const Bridge = Type.Object({
  ...ofAnyJob,
  downstream_errors: described(
    Type.Array(Type.String()),
    'Why its pipeline could not be made, one sentence each.',
  ),
  downstream_pipeline: described(
    Type.Union([PipelineBrief, Type.Null()]),
    'The pipeline that it started or mirrors; null when there is none, or none that the caller may see.',
  ),
})
export type Bridge = Static<typeof Bridge>

/** A job in the list of its runner, which shows jobs of many projects. */
export const RunnerJob = Type.Object({
  ...Job.properties,
  ip_address: described(NullableText, 'Address of its runner; null = not known.'),
  project: described(
    Type.Object({
      ci_job_token_scope_enabled: described(
        Type.Boolean(),
        'Always false: where its jobs get to with their tokens is said by the projects there.',
      ),
      id: described(Type.Integer(), 'Number of the project.'),
      description: described(NullableText, 'What the project is; null = nothing is said.'),
      name: described(Type.String(), 'Name of the project.'),
      name_with_namespace: described(Type.String(), 'The names of its groups and its own.'),
      path: described(Type.String(), "Last part of the project's address."),
      path_with_namespace: described(Type.String(), 'Full path of the project.'),
      created_at: described(Type.String(), 'When the project was made.'),
    }),
    'Its project.',
  ),
})
export type RunnerJob = Static<typeof RunnerJob>

export const JobId = Type.Object({ job_id: described(Type.Integer(), 'Number of the job.') })

/** `scope` is one status or a list of them. */
export const JobScope = Type.Object({
  scope: described(Type.Optional(Type.Array(Type.String())), 'Only jobs in this status, or in one of these.'),
})
