import { type Static, type TSchema, Type } from 'typebox'

import { JobSecret } from './job-secrets.js'
import { ReleaseRequest } from './release-request.js'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Strings = Type.Array(Type.String())

/** Later entries override earlier ones with the same key (runner protocol, 2.7). */
export const JobVariable = Type.Object({
  key: Type.String(),
  value: Type.String(),
  public: Type.Optional(Type.Boolean()),
  masked: Type.Optional(Type.Boolean()),
  /** Present only when true: the value goes to a file and the variable holds its path. */
  file: Type.Optional(Type.Boolean()),
  /** Present only when true: no expansion inside the value. */
  raw: Type.Optional(Type.Boolean()),
})
export type JobVariable = Static<typeof JobVariable>

/** Runner protocol, 2.8. `script` holds `before_script` followed by `script`. */
export const JobStep = Type.Object({
  name: Type.String(),
  script: Strings,
  timeout: Type.Optional(Type.Integer()),
  when: Type.Optional(Type.String()),
  allow_failure: Type.Optional(Type.Boolean()),
  /** Of the step `release`. */
  release: Type.Optional(ReleaseRequest),
})
export type JobStep = Static<typeof JobStep>

/** Runner protocol, 2.9. */
export const JobImage = Type.Object({
  name: Type.String(),
  entrypoint: Type.Optional(Nullable(Strings)),
  ports: Type.Optional(Nullable(Type.Array(Type.Unknown()))),
  pull_policy: Type.Optional(Nullable(Strings)),
  executor_opts: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type JobImage = Static<typeof JobImage>

export const JobService = Type.Object({
  name: Type.String(),
  alias: Type.Optional(Nullable(Type.String())),
  entrypoint: Type.Optional(Nullable(Strings)),
  command: Type.Optional(Nullable(Strings)),
  ports: Type.Optional(Nullable(Type.Array(Type.Unknown()))),
  variables: Type.Optional(Nullable(Type.Array(JobVariable))),
  pull_policy: Type.Optional(Nullable(Strings)),
  executor_opts: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type JobService = Static<typeof JobService>

export const ArtifactWhen = Type.Union([
  Type.Literal('on_success'),
  Type.Literal('on_failure'),
  Type.Literal('always'),
])
export type ArtifactWhen = Static<typeof ArtifactWhen>

/** Runner protocol, 2.10. `exclude` is absent when empty; a null `when` means `on_success`. */
export const JobArtifact = Type.Object({
  name: Type.Optional(Nullable(Type.String())),
  untracked: Type.Optional(Nullable(Type.Boolean())),
  paths: Type.Optional(Nullable(Strings)),
  exclude: Type.Optional(Strings),
  when: Type.Optional(Nullable(ArtifactWhen)),
  expire_in: Type.Optional(Nullable(Type.String())),
  artifact_type: Type.Optional(Type.String()),
  artifact_format: Type.Optional(Nullable(Type.String())),
})
export type JobArtifact = Static<typeof JobArtifact>

/** Runner protocol, 2.11. */
export const JobCache = Type.Object({
  key: Type.String(),
  untracked: Type.Optional(Nullable(Type.Boolean())),
  paths: Type.Optional(Nullable(Strings)),
  policy: Type.Optional(Nullable(Type.String())),
  when: Type.Optional(Nullable(Type.String())),
  fallback_keys: Type.Optional(Nullable(Strings)),
})
export type JobCache = Static<typeof JobCache>

/** `artifacts_file` is absent when there is nothing to download (runner protocol, 2.4). */
export const JobDependency = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  token: Type.String(),
  artifacts_file: Type.Optional(Type.Object({ filename: Type.String(), size: Type.Integer() })),
})
export type JobDependency = Static<typeof JobDependency>

/** Runner protocol, 2.6. */
export const GitInfo = Type.Object({
  /** Clone address that carries the job token as the password of `gitlab-ci-token`. */
  repo_url: Type.String(),
  repo_object_format: Type.Optional(Nullable(Type.String())),
  ref: Type.String(),
  sha: Type.String(),
  before_sha: Type.Optional(Nullable(Type.String())),
  ref_type: Type.Optional(Type.Union([Type.Literal('branch'), Type.Literal('tag')])),
  refspecs: Type.Optional(Nullable(Strings)),
  /** 0 = full history. */
  depth: Type.Optional(Type.Integer()),
  protected: Type.Optional(Nullable(Type.Boolean())),
})
export type GitInfo = Static<typeof GitInfo>

export const RegistryCredentials = Type.Object({
  type: Type.String(),
  url: Type.String(),
  username: Type.String(),
  password: Type.String(),
})
export type RegistryCredentials = Static<typeof RegistryCredentials>

/** Runner protocol, 2.5. */
export const JobInfo = Type.Object({
  id: Type.Optional(Type.Integer()),
  name: Type.String(),
  stage: Type.String(),
  project_id: Type.Integer(),
  project_name: Type.String(),
  time_in_queue_seconds: Type.Optional(Type.Number()),
  /** `+Inf` unless an instance runner takes the job. */
  project_jobs_running_on_instance_runners_count: Type.Optional(Type.String()),
  queue_size: Type.Optional(Type.Integer()),
  queue_depth: Type.Optional(Type.Integer()),
  project_full_path: Type.Optional(Type.String()),
  namespace_id: Type.Optional(Type.Integer()),
  root_namespace_id: Type.Optional(Type.Integer()),
  user_id: Type.Optional(Type.Integer()),
  pipeline_id: Type.Optional(Type.Integer()),
})
export type JobInfo = Static<typeof JobInfo>

export const JobFeatures = Type.Object({
  trace_sections: Type.Optional(Type.Boolean()),
  failure_reasons: Type.Optional(Strings),
  token_mask_prefixes: Type.Optional(Strings),
  /** Ours: bytes that one artifact may have. Runners that do not know it find out by a 413. */
  max_artifacts_size: Type.Optional(Type.Integer()),
  /** Ours: the coordinator keeps caches (see `cache.ts`). */
  coordinator_cache: Type.Optional(Type.Boolean()),
  /** Ours: artifacts may be sent in parts (see `resumable-upload.ts`). */
  resumable_uploads: Type.Optional(Type.Boolean()),
  /** Ours alone: `GET /jobs/:id/signals` is held open until the status of the job changes. */
  job_signals: Type.Optional(Type.Boolean()),
})
export type JobFeatures = Static<typeof JobFeatures>

/**
 * The answer of a successful job request (runner protocol, 2.4). The reference runner decodes strictly by type, so
 * that nothing may be left to chance here; `run` must be absent.
 */
export const JobPayload = Type.Object({
  id: Type.Integer(),
  token: Type.String(),
  allow_git_fetch: Type.Boolean(),
  job_info: JobInfo,
  git_info: GitInfo,
  /** `timeout` in seconds; 0 or less means 7200. */
  runner_info: Type.Object({
    timeout: Type.Integer(),
    runner_session_url: Type.Optional(Nullable(Type.String())),
  }),
  inputs: Type.Optional(Nullable(Type.Array(Type.Unknown()))),
  variables: Type.Array(JobVariable),
  steps: Type.Array(JobStep),
  /** By the name of the variable (runner protocol, 2.14). */
  secrets: Type.Optional(Nullable(Type.Record(Type.String(), JobSecret))),
  hooks: Type.Optional(Nullable(Type.Array(Type.Object({ name: Type.String(), script: Strings })))),
  image: Type.Optional(Nullable(JobImage)),
  services: Type.Optional(Nullable(Type.Array(JobService))),
  artifacts: Type.Optional(Nullable(Type.Array(JobArtifact))),
  cache: Type.Optional(Nullable(Type.Array(JobCache))),
  credentials: Type.Optional(Nullable(Type.Array(RegistryCredentials))),
  dependencies: Type.Optional(Nullable(Type.Array(JobDependency))),
  features: Type.Optional(JobFeatures),
})
export type JobPayload = Static<typeof JobPayload>
