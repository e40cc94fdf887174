import type { Selectable } from 'kysely'

import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { Project, User } from '../../../access/caller.js'
import type { EnvironmentTable } from '../../../database/tables/environments.js'
import type { JobTable, PipelineTable } from '../../../database/tables/pipelines.js'
import type { RunnerTable } from '../../../database/tables/runners.js'
import type { EventFacts, EventProject, ServerIdentity } from '../../predefined-variables/event-facts.js'

/** A job whose artifacts this job fetches. */
export interface DependencyFacts {
  id: number
  name: string
  archive?: { filename: string; size: number }
}

/** Everything a payload is computed from: rows already read, secrets already decrypted. */
export interface PayloadFacts {
  server: ServerIdentity
  /** Prefix of access tokens in place of the usual one; null or empty = the usual one. */
  tokenPrefix: string | null
  /** Maximum size of one artifact, in bytes; undefined = unlimited. */
  artifactsMaxBytes: number | undefined
  /** Seconds that the runner may be silent before the job fails. Absent if it may be for any time. */
  leaseSeconds?: number
  job: Pick<
    Selectable<JobTable>,
    | ('id' | 'name' | 'stage' | 'when' | 'options' | 'yaml_variables' | 'protected' | 'timeout')
    | ('created_at' | 'queued_at' | 'started_at')
  >
  /** The plain job token. */
  token: string
  pipeline: Pick<
    Selectable<PipelineTable>,
    'id' | 'iid' | 'name' | 'ref' | 'tag' | 'sha' | 'before_sha' | 'source' | 'protected' | 'created_at'
  >
  project: EventProject &
    Pick<
      Project,
      | ('build_timeout' | 'ci_default_git_depth' | 'build_git_strategy' | 'max_artifacts_size')
      | 'jobs_cache_index'
    >
  rootNamespaceId: number | undefined
  /** The user who created the pipeline, or played or retried the job. */
  user: Pick<User, 'id' | 'username' | 'name' | 'email'>
  runner: Pick<Selectable<RunnerTable>, 'id' | 'description' | 'tag_list'>
  /** The event of the pipeline, without its release. Jobs that are dispatched together share it. */
  event: EventFacts
  /** Signed for this job alone. */
  idTokens: JobVariable[]
  /** Variables from the dotenv reports of dependencies; those of the last dependency come last. */
  dotenvVariables: JobVariable[]
  /** Settings variables that this job may see, the lowest precedence first. */
  settingsVariables: JobVariable[]
  /** Set when the pipeline was created. */
  pipelineVariables: JobVariable[]
  /** Set by the user who played a manual job. */
  playedVariables: JobVariable[]
  /** Release of the pipeline's tag. */
  release?: EventFacts['release']
  /** The environment that the job names. */
  environment?: Pick<Selectable<EnvironmentTable>, 'id' | 'slug' | 'tier' | 'external_url'> | undefined
  dependencies: DependencyFacts[]
  /** For each cache of the job, in order: the ids for the digest in its key; empty if its key is a text. */
  cacheKeyIds: string[][]
  /**
   * Number of jobs of the project that run on instance runners; undefined unless an instance runner takes the
   * job.
   */
  runningOnInstanceRunners: number | undefined
  /** Whether the project asks runners to hold the failed jobs of this user. */
  isHeldWhenFailed?: boolean
}
