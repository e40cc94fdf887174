import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { environmentSlug } from '../../../ci-config/environment-slug.js'
import { withJobInputs } from '../../../ci-config/inputs/job-input-blocks.js'
import type { PlannedEnvironment } from '../../../ci-config/plan.js'
import { isInScope } from '../../../ci-config/variables/environment-scope.js'
import { tierFor } from '../../../coordinator/ci/engine/deployments/ensure-environments.js'
import { buildPayload } from '../../../coordinator/ci/jobs/payload/build-payload.js'
import { jobVariables } from '../../../coordinator/ci/jobs/payload/job-variables.js'
import type { PayloadFacts } from '../../../coordinator/ci/jobs/payload/payload-facts.js'
import { lastCommitsOfGlobs, objectIds } from '../../../coordinator/hosting/repositories/matching-files.js'
import type { JobPayload, JobVariable } from '../../../protocol/job-payload.js'
import type { LocalFacts } from '../../working-directory/local-event.js'
import type { OutsideFiles } from '../../working-directory/outside/outside-files.js'
import type { Snapshot } from '../../working-directory/snapshot.js'
import type { LocalArtifacts } from './local-artifacts.js'
import type { LocalJob } from './local-pipeline.js'
import { RUNNER_NAME } from './local-runner.js'

/** In seconds. The default of a project (CI language, 12.9). */
const PROJECT_TIMEOUT = 3600
/** The defaults of a new project. The depth is in commits. */
const PROJECT_SETTINGS = {
  build_timeout: PROJECT_TIMEOUT,
  ci_default_git_depth: 20,
  jobs_cache_index: 0,
  build_git_strategy: 'fetch' as const,
  max_artifacts_size: null,
}

/** The common part of the payloads of one pipeline. */
export interface RunFacts {
  pipelineId: number
  event: LocalFacts
  snapshot: Snapshot
  variables: ReadonlyMap<string, string>
  /** Variables of the project, lowest precedence first. */
  settings: readonly ContextVariable[]
  /** Files of other projects and of the network, for child pipelines. */
  outside: OutsideFiles
  /** `workflow:name`. */
  name: string | undefined
  startedAt: number
}

/**
 * The payload of a job for the runner. It equals that of a coordinator, without the parts that only a server can
 * provide.
 */
export async function jobPayload(
  run: RunFacts,
  written: LocalJob,
  token: string,
  dependencies: readonly LocalJob[],
  artifacts: LocalArtifacts,
): Promise<JobPayload> {
  const { planned } = written
  const job = { ...written, planned: { ...planned, options: withJobInputs(planned.options) } }
  const facts = payloadFacts(run, job, token, dependencies, artifacts)
  const payload = buildPayload({ ...facts, cacheKeyIds: await cacheKeyIds(run.snapshot, job) })
  return {
    ...payload,
    git_info: { ...payload.git_info, repo_object_format: run.snapshot.objectFormat },
    // Caches stay on this machine, uploads cannot be interrupted, and nothing shows steps.
    features: {
      ...payload.features,
      coordinator_cache: false,
      resumable_uploads: false,
      script_steps: false,
    },
  }
}

/** All variables of a job, expanded, for use in its keywords when it is about to run. */
export function variablesOfJob(
  run: RunFacts,
  job: LocalJob,
  dependencies: readonly LocalJob[],
  artifacts: LocalArtifacts,
): JobVariable[] {
  return jobVariables(payloadFacts(run, job, '', dependencies, artifacts))
}

function payloadFacts(
  run: RunFacts,
  job: LocalJob,
  token: string,
  dependencies: readonly LocalJob[],
  artifacts: LocalArtifacts,
): PayloadFacts {
  return {
    ...factsOfRun(run),
    ...factsOfJob(run, job),
    settingsVariables: run.settings
      .filter(({ environmentScope = '*' }) => isInScope(environmentScope, job.planned.environment?.name))
      .map(({ environmentScope: _, masked = false, ...variable }) => ({
        ...variable,
        public: false,
        masked,
      })),
    token,
    artifactsMaxBytes: undefined,
    tokenPrefix: null,
    cacheKeyIds: [],
    dependencies: dependencies.map(({ id, planned }) => {
      const archive = artifacts.archiveOf(id)
      return { id, name: planned.name, ...(archive && { archive }) }
    }),
    dotenvVariables: dependencies.flatMap(({ id }) =>
      artifacts.dotenvOf(id).map((variable) => ({ ...variable, public: false, masked: false })),
    ),
  }
}

function factsOfRun(run: RunFacts) {
  const { event, variables, pipelineId } = run
  const { server, project, creator, ref, refType, sha, beforeSha, source, isProtected } = event
  return {
    server,
    event,
    user: creator,
    rootNamespaceId: undefined,
    project: { ...project, ...PROJECT_SETTINGS },
    pipeline: {
      id: pipelineId,
      iid: pipelineId,
      name: run.name ?? null,
      created_at: run.startedAt,
      ref,
      tag: refType === 'tag',
      sha,
      before_sha: beforeSha,
      source,
      protected: isProtected,
    },
    idTokens: [],
    pipelineVariables: [...variables].map(([key, value]) => ({ key, value, public: false, masked: false })),
    playedVariables: [],
    runningOnInstanceRunners: undefined,
  }
}

function factsOfJob(
  { event }: RunFacts,
  { id, planned, createdAt, startedAt }: LocalJob,
): Pick<PayloadFacts, 'job' | 'runner' | 'environment'> {
  const { name, stage, when, variables, environment, parallel, tags } = planned
  const { release, secrets, ...options } = planned.options
  return {
    job: {
      id,
      name,
      stage,
      when,
      options: { ...options, ...(environment && { environment }), ...(parallel && { parallel }) },
      yaml_variables: variables,
      protected: event.isProtected,
      timeout: options.timeout ?? PROJECT_TIMEOUT,
      created_at: createdAt,
      queued_at: createdAt,
      started_at: startedAt ?? createdAt,
    },
    runner: { id: 1, description: RUNNER_NAME, tag_list: tags },
    ...(environment && { environment: environmentFacts(environment) }),
  }
}

/** Environments are not stored, so each one is new. */
function environmentFacts(environment: PlannedEnvironment): NonNullable<PayloadFacts['environment']> {
  const tier = tierFor(environment) ?? 'other'
  return { id: 1, slug: environmentSlug(environment.name), tier, external_url: null }
}

function cacheKeyIds({ gitDir, commit }: Snapshot, { planned }: LocalJob): Promise<string[][]> {
  return Promise.all(
    (planned.options.caches ?? []).map(async ({ key }) => {
      if (key === undefined || typeof key === 'string') return []
      const files = key.files.map((file) => file.replace(/^\/+/, ''))
      return key.by === 'commit'
        ? await lastCommitsOfGlobs(gitDir, commit.id, files)
        : await objectIds(gitDir, commit.id, files)
    }),
  )
}
