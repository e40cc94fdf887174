import { type Static, Type } from 'typebox'

import { NullableText } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/present-commit.js'
import { PipelineBrief } from '../../http/present-pipeline.js'
import { PublicUser } from '../../http/present-user.js'

const NullableNumber = Type.Union([Type.Number(), Type.Null()])

/** The runner as a job shows it. */
export const JobRunner = Type.Object({
  id: Type.Integer(),
  description: NullableText,
  ip_address: NullableText,
  active: Type.Boolean(),
  paused: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: Type.String(),
  name: NullableText,
})
export type JobRunner = Static<typeof JobRunner>

export const JobArtifactFile = Type.Object({
  file_type: Type.String(),
  size: Type.Integer(),
  filename: Type.String(),
  file_format: NullableText,
})

/**
 * What a pending job waits for, or a stuck one waited for in vain. Beyond the reference. `queue_position` is there when
 * one job is asked for, `missing_tags` with the reason of that name.
 */
export const WaitingFor = Type.Object({
  reason: Type.String(),
  message: Type.String(),
  missing_tags: Type.Optional(Type.Array(Type.String())),
  queue_position: Type.Optional(Type.Integer()),
})
export type WaitingFor = Static<typeof WaitingFor>

/** API gaps, I4. `failure_reason` is there only for a failed job, `artifacts_file` only with an archive. */
export const Job = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  stage: Type.String(),
  name: Type.String(),
  ref: Type.String(),
  tag: Type.Boolean(),
  coverage: NullableNumber,
  allow_failure: Type.Boolean(),
  created_at: Type.String(),
  started_at: NullableText,
  finished_at: NullableText,
  /** When a delayed job is to start. */
  scheduled_at: NullableText,
  erased_at: NullableText,
  /** Seconds. */
  duration: NullableNumber,
  queued_duration: NullableNumber,
  failure_reason: Type.Optional(Type.String()),
  waiting_for: Type.Optional(WaitingFor),
  user: Type.Union([PublicUser, Type.Null()]),
  commit: Type.Union([CommitBrief, Type.Null()]),
  pipeline: PipelineBrief,
  project: Type.Object({ ci_job_token_scope_enabled: Type.Boolean() }),
  web_url: Type.String(),
  artifacts_file: Type.Optional(Type.Object({ filename: Type.String(), size: Type.Integer() })),
  artifacts: Type.Array(JobArtifactFile),
  artifacts_expire_at: NullableText,
  runner: Type.Union([JobRunner, Type.Null()]),
  runner_manager: Type.Null(),
  archived: Type.Boolean(),
  source: Type.String(),
  tag_list: Type.Array(Type.String()),
})
export type Job = Static<typeof Job>

const { artifacts_file, artifacts, artifacts_expire_at, runner, runner_manager, tag_list, ...ofAnyJob } =
  Job.properties

/** A trigger job (API gaps, I3). */
export const Bridge = Type.Object({
  ...ofAnyJob,
  /** Why its pipeline could not be made, one sentence each. */
  downstream_errors: Type.Array(Type.String()),
  /** The pipeline that it started or mirrors; null when there is none, or none that the caller may see. */
  downstream_pipeline: Type.Union([PipelineBrief, Type.Null()]),
})
export type Bridge = Static<typeof Bridge>

/** A job in the list of its runner, which shows jobs of many projects. */
export const RunnerJob = Type.Object({
  ...Job.properties,
  ip_address: NullableText,
  project: Type.Object({
    ci_job_token_scope_enabled: Type.Boolean(),
    id: Type.Integer(),
    description: NullableText,
    name: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    created_at: Type.String(),
  }),
})
export type RunnerJob = Static<typeof RunnerJob>

export const JobId = Type.Object({ job_id: Type.Integer() })

/** `scope` is one status or a list of them. */
export const JobScope = Type.Object({ scope: Type.Optional(Type.Array(Type.String())) })
