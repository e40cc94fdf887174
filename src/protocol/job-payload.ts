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
  public: described(Type.Optional(Type.Boolean()), 'Whether the value may be shown.'),
  masked: described(Type.Optional(Type.Boolean()), 'Whether the value is masked in the log.'),

  file: described(
    Type.Optional(Type.Boolean()),
    'Whether the value is written to a file whose path the variable contains.',
  ),

  raw: described(Type.Optional(Type.Boolean()), 'Whether references in the value are left unexpanded.'),
})
export type JobVariable = Static<typeof JobVariable>

/** Runner protocol, 2.8. `script` holds `before_script` followed by `script`. */
export const JobStep = Type.Object({
  name: described(Type.String(), '`script`, `after_script` or `release`.'),
  script: described(Strings, 'Commands, in order.'),
  timeout: described(Type.Optional(Type.Integer()), 'Maximum duration, in seconds.'),
  when: described(Type.Optional(Type.String()), '`on_success` or `always`.'),
  allow_failure: described(Type.Optional(Type.Boolean()), 'Whether its failure fails the job.'),

  release: described(Type.Optional(ReleaseRequest), 'Release to create. Only in the step `release`.'),
})
export type JobStep = Static<typeof JobStep>

/** Runner protocol, 2.9. */
export const JobImage = Type.Object({
  name: described(Type.String(), 'Name of the image.'),
  entrypoint: described(
    Type.Optional(Nullable(Strings)),
    'Command that replaces the entrypoint of the image; null = none.',
  ),
  ports: described(Type.Optional(Nullable(Type.Array(Type.Unknown()))), 'Not used.'),
  pull_policy: described(
    Type.Optional(Nullable(Strings)),
    'Pull policies of the image; null = as configured in the runner.',
  ),
  executor_opts: described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'Options for the executor.',
  ),
})
export type JobImage = Static<typeof JobImage>

export const JobService = Type.Object({
  name: described(Type.String(), 'Name of the image.'),
  alias: described(
    Type.Optional(Nullable(Type.String())),
    'Aliases of the service, separated by spaces; null = none.',
  ),
  entrypoint: described(
    Type.Optional(Nullable(Strings)),
    'Command that replaces the entrypoint of the image; null = none.',
  ),
  command: described(Type.Optional(Nullable(Strings)), 'Command of the container; null = that of the image.'),
  ports: described(Type.Optional(Nullable(Type.Array(Type.Unknown()))), 'Not used.'),
  variables: described(Type.Optional(Nullable(Type.Array(JobVariable))), 'Variables for the service only.'),
  pull_policy: described(
    Type.Optional(Nullable(Strings)),
    'Pull policies of the image; null = as configured in the runner.',
  ),
  executor_opts: described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'Options for the executor.',
  ),
})
export type JobService = Static<typeof JobService>

const ArtifactWhen = Type.Union([
  Type.Literal('on_success'),
  Type.Literal('on_failure'),
  Type.Literal('always'),
])
type ArtifactWhen = Static<typeof ArtifactWhen>

/** Runner protocol, 2.10. `exclude` is absent when empty; a null `when` means `on_success`. */
export const JobArtifact = Type.Object({
  name: described(
    Type.Optional(Nullable(Type.String())),
    'Name of the archive without extension; null = `artifacts`.',
  ),
  untracked: described(Type.Optional(Nullable(Type.Boolean())), 'Whether untracked files are included.'),
  paths: described(Type.Optional(Nullable(Strings)), 'Path patterns.'),
  exclude: described(Type.Optional(Strings), 'Path patterns of excluded files.'),
  when: described(
    Type.Optional(Nullable(ArtifactWhen)),
    'Job results for which it is uploaded; null = `on_success`.',
  ),
  expire_in: described(
    Type.Optional(Nullable(Type.String())),
    'Time until it expires; null = the default of the server.',
  ),
  artifact_type: described(Type.Optional(Type.String()), 'Artifact type; `archive` if absent.'),
  artifact_format: described(Type.Optional(Nullable(Type.String())), '`zip`, `gzip` or `raw`.'),
})
export type JobArtifact = Static<typeof JobArtifact>

/** Runner protocol, 2.11. */
export const JobCache = Type.Object({
  key: described(Type.String(), 'Its key.'),
  untracked: described(Type.Optional(Nullable(Type.Boolean())), 'Whether untracked files are included.'),
  paths: described(Type.Optional(Nullable(Strings)), 'Path patterns.'),
  policy: described(Type.Optional(Nullable(Type.String())), '`pull-push`, `pull` or `push`.'),
  when: described(Type.Optional(Nullable(Type.String())), 'Job results for which it is saved.'),
  fallback_keys: described(
    Type.Optional(Nullable(Strings)),
    'Fallback keys, tried in order if there is no cache with the key.',
  ),
  key_suffix: described(
    Type.Optional(Type.String()),
    'End of each of these keys, which a runner adds to `CACHE_FALLBACK_KEY` too.',
  ),
})
export type JobCache = Static<typeof JobCache>

/** `artifacts_file` is absent if there is nothing to download (runner protocol, 2.4). */
export const JobDependency = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  name: described(Type.String(), 'Name of the job.'),
  token: described(Type.String(), 'Token for downloading the archive.'),
  artifacts_file: described(
    Type.Optional(
      Type.Object({
        filename: described(Type.String(), 'Name of the file.'),
        size: described(Type.Integer(), 'Bytes.'),
      }),
    ),
    'Archive of the job; absent if there is none.',
  ),
})
export type JobDependency = Static<typeof JobDependency>

/** Runner protocol, 2.6. */
export const GitInfo = Type.Object({
  repo_url: described(Type.String(), 'URL of the repository, with the job token as password.'),
  repo_object_format: described(Type.Optional(Nullable(Type.String())), '`sha1`.'),
  ref: described(Type.String(), 'Branch or tag.'),
  sha: described(Type.String(), 'The commit.'),
  before_sha: described(
    Type.Optional(Nullable(Type.String())),
    'Previous commit of the branch; 40 zeros = none.',
  ),
  ref_type: described(
    Type.Optional(Type.Union([Type.Literal('branch'), Type.Literal('tag')])),
    'Whether `ref` is a branch or a tag.',
  ),
  refspecs: described(Type.Optional(Nullable(Strings)), 'Refspecs to fetch.'),

  depth: described(Type.Optional(Type.Integer()), 'Number of commits of history to fetch; 0 = all.'),
  protected: described(Type.Optional(Nullable(Type.Boolean())), 'Whether the ref is protected.'),
})
export type GitInfo = Static<typeof GitInfo>

export const RegistryCredentials = Type.Object({
  type: described(Type.String(), '`registry`.'),
  url: described(Type.String(), 'URL of the registry.'),
  username: described(Type.String(), 'User name for the registry.'),
  password: described(Type.String(), 'Password there.'),
})
export type RegistryCredentials = Static<typeof RegistryCredentials>

/** Runner protocol, 2.5. */
export const JobInfo = Type.Object({
  id: described(Type.Optional(Type.Integer()), 'ID of the job.'),
  name: described(Type.String(), 'Name of the job.'),
  stage: described(Type.String(), 'Its stage.'),
  project_id: described(Type.Integer(), 'ID of the project.'),
  project_name: described(Type.String(), 'Name of the project.'),
  time_in_queue_seconds: described(
    Type.Optional(Type.Number()),
    'Time that the job spent in the queue, in seconds.',
  ),

  project_jobs_running_on_instance_runners_count: described(
    Type.Optional(Type.String()),
    'Number of jobs of the project that run on instance runners; `+Inf` unless such a runner takes the job.',
  ),
  queue_size: described(Type.Optional(Type.Integer()), 'Number of jobs in the queue.'),
  queue_depth: described(Type.Optional(Type.Integer()), 'Number of jobs that were examined.'),
  project_full_path: described(Type.Optional(Type.String()), 'Full path of the project.'),
  namespace_id: described(Type.Optional(Type.Integer()), 'ID of the namespace.'),
  root_namespace_id: described(Type.Optional(Type.Integer()), 'ID of the top-level group.'),
  user_id: described(Type.Optional(Type.Integer()), 'ID of the user who started the job.'),
  pipeline_id: described(Type.Optional(Type.Integer()), 'ID of the pipeline.'),
})
export type JobInfo = Static<typeof JobInfo>

const JobFeatures = Type.Object({
  trace_sections: described(Type.Optional(Type.Boolean()), 'Whether log sections are supported.'),
  failure_reasons: described(Type.Optional(Strings), 'Supported failure reasons.'),
  token_mask_prefixes: described(Type.Optional(Strings), 'Prefixes of tokens that are masked.'),

  max_artifacts_size: described(
    Type.Optional(Type.Integer()),
    'Maximum size of an artifact, in bytes (beyond the reference).',
  ),

  coordinator_cache: described(
    Type.Optional(Type.Boolean()),
    'Whether the server stores caches (beyond the reference).',
  ),

  resumable_uploads: described(
    Type.Optional(Type.Boolean()),
    'Whether artifacts can be uploaded in parts (beyond the reference).',
  ),

  job_signals: described(
    Type.Optional(Type.Boolean()),
    'Whether the runner can wait for the status of the job to change (beyond the reference).',
  ),

  script_steps: described(
    Type.Optional(Type.Boolean()),
    'Whether the server stores how each line of the scripts ended (beyond the reference).',
  ),
  job_holds: described(
    Type.Optional(Type.Boolean()),
    'Whether the runner can report that it holds the job after its end (beyond the reference).',
  ),
  host_reports: described(
    Type.Optional(Type.Boolean()),
    'Whether the server shows the hosts that the runner reports between requests for jobs (beyond the reference).',
  ),
  lease_seconds: described(
    Type.Optional(Type.Integer()),
    'Seconds that the runner may be silent before the job fails (beyond the reference).',
  ),
})
type JobFeatures = Static<typeof JobFeatures>

/**
 * Response to a successful job request (runner protocol, 2.4). The reference runner decodes strictly by type, so
 * every field must have exactly its type. `run` must be absent if it is not used.
 */
export const JobPayload = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  token: described(Type.String(), 'The job token.'),
  allow_git_fetch: described(Type.Boolean(), 'Whether an existing clone may be reused.'),
  job_info: described(JobInfo, 'Information about the job.'),
  git_info: described(GitInfo, 'Source of the repository.'),

  runner_info: described(
    Type.Object({
      timeout: described(Type.Integer(), 'Maximum duration of the job, in seconds; 0 or less = 7200.'),
      runner_session_url: described(Type.Optional(Nullable(Type.String())), 'Always null.'),
    }),
    'Settings for the runner.',
  ),
  inputs: described(Type.Optional(Nullable(Type.Array(Type.Unknown()))), 'Values of the inputs of the job.'),
  variables: described(
    Type.Array(JobVariable),
    'Variables; later ones override earlier ones with the same name.',
  ),
  steps: described(
    Type.Optional(Nullable(Type.Array(JobStep))),
    'Steps to run, in order; absent if `run` is present.',
  ),
  run: described(
    Type.Optional(Nullable(Type.String())),
    'Native steps to run, in order, as a JSON text; absent if `steps` is present.',
  ),

  secrets: described(
    Type.Optional(Nullable(Type.Record(Type.String(), JobSecret))),
    'Variables whose values the runner fetches, by name.',
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
    'Hook scripts.',
  ),
  image: described(Type.Optional(Nullable(JobImage)), 'Image; null = that of the runner.'),
  services: described(Type.Optional(Nullable(Type.Array(JobService))), 'Its services.'),
  artifacts: described(Type.Optional(Nullable(Type.Array(JobArtifact))), 'Artifacts to upload.'),
  cache: described(Type.Optional(Nullable(Type.Array(JobCache))), 'Its caches.'),
  credentials: described(
    Type.Optional(Nullable(Type.Array(RegistryCredentials))),
    'Credentials of registries.',
  ),
  dependencies: described(
    Type.Optional(Nullable(Type.Array(JobDependency))),
    'Jobs whose artifacts are downloaded.',
  ),
  features: described(Type.Optional(JobFeatures), 'Features of the server.'),
})
export type JobPayload = Static<typeof JobPayload>
