import { type Static, type TSchema, Type } from 'typebox'

import { described } from './described.js'
import { JobSecret } from './job-secrets.js'
import { ReleaseRequest } from './release-request.js'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Strings = Type.Array(Type.String())

/** Later entries override earlier ones with the same key (runner protocol, 2.7). */
export const JobVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  value: described(Type.String(), 'Its value.'),
  public: described(Type.Optional(Type.Boolean()), 'Whether it may be shown.'),
  masked: described(Type.Optional(Type.Boolean()), 'Whether its value is replaced in the log.'),

  file: described(
    Type.Optional(Type.Boolean()),
    'True when the value goes to a file and the variable holds its path.',
  ),

  raw: described(Type.Optional(Type.Boolean()), 'True when references in the value are left alone.'),
})
export type JobVariable = Static<typeof JobVariable>

/** Runner protocol, 2.8. `script` holds `before_script` followed by `script`. */
export const JobStep = Type.Object({
  name: described(Type.String(), '`script`, `after_script` or `release`.'),
  script: described(Strings, 'Commands, in order.'),
  timeout: described(Type.Optional(Type.Integer()), 'Seconds that it may take.'),
  when: described(Type.Optional(Type.String()), '`on_success` or `always`.'),
  allow_failure: described(Type.Optional(Type.Boolean()), 'Whether its failure fails the job.'),

  release: described(Type.Optional(ReleaseRequest), 'What is to be released; of the step `release`.'),
})
export type JobStep = Static<typeof JobStep>

/** Runner protocol, 2.9. */
export const JobImage = Type.Object({
  name: described(Type.String(), 'Name of the image.'),
  entrypoint: described(
    Type.Optional(Nullable(Strings)),
    'What is started instead of the entry point of the image; null = that one.',
  ),
  ports: described(Type.Optional(Nullable(Type.Array(Type.Unknown()))), 'Not used.'),
  pull_policy: described(
    Type.Optional(Nullable(Strings)),
    'When the image is pulled; null = as the runner has it.',
  ),
  executor_opts: described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'Options for one kind of executor.',
  ),
})
export type JobImage = Static<typeof JobImage>

export const JobService = Type.Object({
  name: described(Type.String(), 'Name of the image.'),
  alias: described(
    Type.Optional(Nullable(Type.String())),
    'Further names of the service, with spaces between; null = none.',
  ),
  entrypoint: described(
    Type.Optional(Nullable(Strings)),
    'What is started instead of the entry point of the image; null = that one.',
  ),
  command: described(Type.Optional(Nullable(Strings)), 'What is run in it; null = what the image says.'),
  ports: described(Type.Optional(Nullable(Type.Array(Type.Unknown()))), 'Not used.'),
  variables: described(Type.Optional(Nullable(Type.Array(JobVariable))), 'Variables of the service alone.'),
  pull_policy: described(
    Type.Optional(Nullable(Strings)),
    'When the image is pulled; null = as the runner has it.',
  ),
  executor_opts: described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'Options for one kind of executor.',
  ),
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
  name: described(
    Type.Optional(Nullable(Type.String())),
    'Name of the archive without its ending; null = `artifacts`.',
  ),
  untracked: described(Type.Optional(Nullable(Type.Boolean())), 'Whether what git does not track is kept.'),
  paths: described(Type.Optional(Nullable(Strings)), 'Patterns of paths.'),
  exclude: described(Type.Optional(Strings), 'Patterns of paths that are left out.'),
  when: described(Type.Optional(Nullable(ArtifactWhen)), 'After which end it is kept; null = `on_success`.'),
  expire_in: described(
    Type.Optional(Nullable(Type.String())),
    'How long it is kept; null = as the server has it.',
  ),
  artifact_type: described(Type.Optional(Type.String()), 'What it is; `archive` when absent.'),
  artifact_format: described(Type.Optional(Nullable(Type.String())), '`zip`, `gzip` or `raw`.'),
})
export type JobArtifact = Static<typeof JobArtifact>

/** Runner protocol, 2.11. */
export const JobCache = Type.Object({
  key: described(Type.String(), 'Its key.'),
  untracked: described(Type.Optional(Nullable(Type.Boolean())), 'Whether what git does not track is kept.'),
  paths: described(Type.Optional(Nullable(Strings)), 'Patterns of paths.'),
  policy: described(Type.Optional(Nullable(Type.String())), '`pull-push`, `pull` or `push`.'),
  when: described(Type.Optional(Nullable(Type.String())), 'After which end it is saved.'),
  fallback_keys: described(Type.Optional(Nullable(Strings)), 'Keys that are tried when it is not there.'),
})
export type JobCache = Static<typeof JobCache>

/** `artifacts_file` is absent when there is nothing to download (runner protocol, 2.4). */
export const JobDependency = Type.Object({
  id: described(Type.Integer(), 'Number of the job.'),
  name: described(Type.String(), 'Name of the job.'),
  token: described(Type.String(), 'Token with which its archive is fetched.'),
  artifacts_file: described(
    Type.Optional(
      Type.Object({
        filename: described(Type.String(), 'Name of the file.'),
        size: described(Type.Integer(), 'Bytes.'),
      }),
    ),
    'Its archive; absent when there is none.',
  ),
})
export type JobDependency = Static<typeof JobDependency>

/** Runner protocol, 2.6. */
export const GitInfo = Type.Object({
  repo_url: described(Type.String(), 'Address of the repository, with the job token as the password.'),
  repo_object_format: described(Type.Optional(Nullable(Type.String())), '`sha1`.'),
  ref: described(Type.String(), 'Branch or tag.'),
  sha: described(Type.String(), 'The commit.'),
  before_sha: described(
    Type.Optional(Nullable(Type.String())),
    'The commit that the branch had before; 40 zeros = none.',
  ),
  ref_type: described(
    Type.Optional(Type.Union([Type.Literal('branch'), Type.Literal('tag')])),
    'Whether `ref` is a branch or a tag.',
  ),
  refspecs: described(Type.Optional(Nullable(Strings)), 'What is fetched.'),

  depth: described(Type.Optional(Type.Integer()), 'Commits of history that are fetched; 0 = all.'),
  protected: described(Type.Optional(Nullable(Type.Boolean())), 'Whether the ref is protected.'),
})
export type GitInfo = Static<typeof GitInfo>

export const RegistryCredentials = Type.Object({
  type: described(Type.String(), '`registry`.'),
  url: described(Type.String(), 'Address of the registry.'),
  username: described(Type.String(), 'User name there.'),
  password: described(Type.String(), 'Password there.'),
})
export type RegistryCredentials = Static<typeof RegistryCredentials>

/** Runner protocol, 2.5. */
export const JobInfo = Type.Object({
  id: described(Type.Optional(Type.Integer()), 'Number of the job.'),
  name: described(Type.String(), 'Name of the job.'),
  stage: described(Type.String(), 'Its stage.'),
  project_id: described(Type.Integer(), 'Number of the project.'),
  project_name: described(Type.String(), 'Name of the project.'),
  time_in_queue_seconds: described(Type.Optional(Type.Number()), 'Seconds that it waited.'),

  project_jobs_running_on_instance_runners_count: described(
    Type.Optional(Type.String()),
    'Jobs of the project on runners of the instance; `+Inf` unless such a one takes it.',
  ),
  queue_size: described(Type.Optional(Type.Integer()), 'Jobs that wait.'),
  queue_depth: described(Type.Optional(Type.Integer()), 'Jobs that were looked at.'),
  project_full_path: described(Type.Optional(Type.String()), 'Full path of the project.'),
  namespace_id: described(Type.Optional(Type.Integer()), 'Number of its namespace.'),
  root_namespace_id: described(Type.Optional(Type.Integer()), 'Number of the topmost group that it is in.'),
  user_id: described(Type.Optional(Type.Integer()), 'Number of the user who started it.'),
  pipeline_id: described(Type.Optional(Type.Integer()), 'Number of its pipeline.'),
})
export type JobInfo = Static<typeof JobInfo>

export const JobFeatures = Type.Object({
  trace_sections: described(Type.Optional(Type.Boolean()), 'Whether sections of the log are understood.'),
  failure_reasons: described(Type.Optional(Strings), 'Reasons of failure that are understood.'),
  token_mask_prefixes: described(Type.Optional(Strings), 'Beginnings of tokens that are masked.'),

  max_artifacts_size: described(
    Type.Optional(Type.Integer()),
    'Bytes that one artifact may have (beyond the reference).',
  ),

  coordinator_cache: described(
    Type.Optional(Type.Boolean()),
    'Whether the server keeps caches (beyond the reference).',
  ),

  resumable_uploads: described(
    Type.Optional(Type.Boolean()),
    'Whether artifacts may be sent in parts (beyond the reference).',
  ),

  job_signals: described(
    Type.Optional(Type.Boolean()),
    'Whether the runner can wait for the status of the job to change (beyond the reference).',
  ),
})
export type JobFeatures = Static<typeof JobFeatures>

/**
 * The answer of a successful job request (runner protocol, 2.4). The reference runner decodes strictly by type, so
 * that nothing may be left to chance here; `run` must be absent when it is not used.
 */
export const JobPayload = Type.Object({
  id: described(Type.Integer(), 'Number of the job.'),
  token: described(Type.String(), 'The job token.'),
  allow_git_fetch: described(Type.Boolean(), 'Whether a clone may be used again.'),
  job_info: described(JobInfo, 'What the job is.'),
  git_info: described(GitInfo, 'Where its sources are.'),

  runner_info: described(
    Type.Object({
      timeout: described(Type.Integer(), 'Seconds that the job may run; 0 or less = 7200.'),
      runner_session_url: described(Type.Optional(Nullable(Type.String())), 'Always null.'),
    }),
    'What concerns the runner.',
  ),
  inputs: described(Type.Optional(Nullable(Type.Array(Type.Unknown()))), 'Values for the inputs of the job.'),
  variables: described(
    Type.Array(JobVariable),
    'Its variables; later ones replace earlier ones of the same name.',
  ),
  steps: described(
    Type.Optional(Nullable(Type.Array(JobStep))),
    'What it runs, in order; absent when `run` is there.',
  ),
  run: described(
    Type.Optional(Nullable(Type.String())),
    'JSON in a text: the native steps that it runs in order; absent when `steps` is there.',
  ),

  secrets: described(
    Type.Optional(Nullable(Type.Record(Type.String(), JobSecret))),
    'Variables whose values the runner fetches, by their names.',
  ),
  hooks: described(
    Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            name: described(Type.String(), 'The moment.'),
            script: described(Strings, 'Commands, in order.'),
          }),
        ),
      ),
    ),
    'Scripts at set moments.',
  ),
  image: described(Type.Optional(Nullable(JobImage)), 'Its image; null = that of the runner.'),
  services: described(Type.Optional(Nullable(Type.Array(JobService))), 'Its services.'),
  artifacts: described(Type.Optional(Nullable(Type.Array(JobArtifact))), 'What it leaves.'),
  cache: described(Type.Optional(Nullable(Type.Array(JobCache))), 'Its caches.'),
  credentials: described(
    Type.Optional(Nullable(Type.Array(RegistryCredentials))),
    'Registries that it may pull from.',
  ),
  dependencies: described(Type.Optional(Nullable(Type.Array(JobDependency))), 'Jobs whose archives it gets.'),
  features: described(Type.Optional(JobFeatures), 'What the server can do.'),
})
export type JobPayload = Static<typeof JobPayload>
