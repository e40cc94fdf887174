import type { ContextVariable } from '../../../../ci-config/context-variable.js'
import { withJobInputs } from '../../../../ci-config/inputs/job-input-blocks.js'
import { isInScope } from '../../../../ci-config/variables/environment-scope.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import { OVERRIDE_LEVELS } from '../../../access/may-set-variables.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { TokenSigner } from '../../../crypto/token-signer.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type {
  JobRow,
  PipelineRow,
  ProjectRow,
  RunnerRow,
  UserRow,
} from '../../../database/tables/pipeline-rows.js'
import { findEnvironment } from '../../engine/deployments/environment-store.js'
import { isEnvironmentProtected } from '../../engine/deployments/protection/gates.js'
import { dependenciesOf } from '../../engine/dispatch/dependencies.js'
import type { EngineRepositories } from '../../engine/engine-deps.js'
import { findUpstream } from '../../engine/hierarchy/downstream-store.js'
import { dependencyReader, type NamedJob } from '../../engine/jobs/job-dependencies.js'
import { factsOfStoredPipeline } from '../../engine/merge-requests/merge-request-facts.js'
import type { OutsideSources } from '../../engine/outside-sources.js'
import { findUser } from '../../engine/user-store.js'
import type { EventFacts, ServerIdentity } from '../../predefined-variables/event-facts.js'
import { releaseOfTag } from '../../predefined-variables/release-of-tag.js'
import { settingsVariables } from '../../predefined-variables/settings-variables.js'
import { eventOf } from '../../predefined-variables/stored-event.js'
import {
  dotenvVariables,
  pipelineVariables,
  playedVariables,
} from '../../predefined-variables/stored-variables.js'
import type { Artifacts } from '../../storage/artifacts/artifacts.js'
import { idTokenVariables } from './id-tokens.js'
import { jobVariables } from './job-variables.js'
import type { DependencyFacts, PayloadFacts } from './payload-facts.js'
import { countProjectJobsOnInstanceRunners, findNamespaceId, scheduleDescription } from './store.js'

export interface LoadFactsDeps {
  database: Database
  secrets: SecretBox
  repositories: Pick<EngineRepositories, 'readCommit' | 'tagMessage' | 'objectIds' | 'lastCommits'>
  artifacts: Artifacts
  server: ServerIdentity
  tokens: Pick<TokenSigner, 'sign'>
  outside: Pick<OutsideSources, 'levelOf'>
}

/** A dispatched job and the runner that receives it. */
export interface JobInHand {
  job: JobRow
  pipeline: PipelineRow
  project: ProjectRow
  runner: Pick<RunnerRow, 'id' | 'description' | 'tag_list' | 'runner_type'>
  token: string
  leaseSeconds?: number
  /** IDs of jobs whose facts are likely to be read too, this one included. */
  together: readonly number[]
}

/** Reads the facts from which the payload of a job is built. */
export async function loadPayloadFacts(deps: LoadFactsDeps, inHand: JobInHand): Promise<PayloadFacts> {
  const { database, repositories, server } = deps
  const { pipeline, runner } = inHand
  const job = { ...inHand.job, options: withJobInputs(inHand.job.options) }
  const { settings, dependenciesInPipeline, played, running, ...ofPipeline } = await factsOfPipeline(
    deps,
    inHand,
  )
  // Together: on PostgreSQL, each read takes a round trip.
  const [ofDependencies, environment, user, variables, playedByJob, cacheKeyIds, runningOnInstanceRunners] =
    await Promise.all([
      dependenciesOf(deps, job, dependenciesInPipeline).then((jobs) => factsOfDependencies(deps, jobs)),
      job.environment_id === null ? undefined : findEnvironment(database, job.environment_id),
      job.user_id === pipeline.user_id ? ofPipeline.creator : findUser(database, job.user_id),
      settings(job.protected),
      played(),
      loadCacheKeyIds(repositories, job, pipeline),
      runner.runner_type === 'instance_type' ? running() : undefined,
    ])
  const facts: PayloadFacts = {
    ...inHand,
    ...ofPipeline,
    ...ofDependencies,
    job,
    server,
    idTokens: [],
    user,
    settingsVariables: variables
      .filter(({ environmentScope = '*' }) => isInScope(environmentScope, job.options.environment?.name))
      .map(secretVariable),
    playedVariables: (playedByJob.get(job.id) ?? []).map(secretVariable),
    environment,
    cacheKeyIds,
    runningOnInstanceRunners,
    isHeldWhenFailed: await isHeldWhenFailed(deps, inHand.project, user),
  }
  if (!job.options.idTokens) return facts
  const isProtected = await isEnvironmentProtected(database, inHand.project.id, {
    current: environment,
    named: job.options.environment,
  })
  const signed = { ...facts, isEnvironmentProtected: isProtected }
  return { ...facts, idTokens: await idTokenVariables(deps.tokens, signed, jobVariables(facts)) }
}

const factsByPipeline = new WeakMap<PipelineRow, Promise<PipelineFacts>>()

/** Read once for all jobs that were dispatched together: these share the row of their pipeline. */
function factsOfPipeline(deps: LoadFactsDeps, inHand: JobInHand): Promise<PipelineFacts> {
  const known = factsByPipeline.get(inHand.pipeline)
  const facts = known ?? loadPipelineFacts(deps, inHand)
  if (!known) factsByPipeline.set(inHand.pipeline, facts)
  return facts
}

type PipelineFacts = Awaited<ReturnType<typeof loadPipelineFacts>>

async function loadPipelineFacts(deps: LoadFactsDeps, { pipeline, project, together }: JobInHand) {
  const { database, secrets, repositories, server } = deps
  const [
    { creator, mergeRequests },
    prefixes,
    artifactsMaxBytes,
    rootNamespaceId,
    commit,
    schedule,
    upstream,
    tag,
    variables,
  ] = await Promise.all([
    factsOfCreator(database, pipeline),
    effectiveSettings(database, 'personal_access_token_prefix'),
    deps.artifacts.limitFor(project),
    findNamespaceId(database, project.full_path.split('/')[0] ?? ''),
    repositories.readCommit(project.id, pipeline.sha),
    scheduleDescription(database, pipeline.pipeline_schedule_id),
    findUpstream(database, pipeline),
    pipeline.tag ? factsOfTag(deps, pipeline) : undefined,
    pipelineVariables(deps, pipeline.id),
  ])
  return {
    tokenPrefix: prefixes.personal_access_token_prefix,
    artifactsMaxBytes,
    rootNamespaceId,
    creator,
    event: {
      server,
      project,
      commit,
      tagMessage: tag?.tagMessage,
      creator,
      scheduleDescription: schedule,
      trigger: triggerOf(secrets, pipeline),
      upstream,
      ...mergeRequests,
      ...eventOf(pipeline),
    },
    release: tag?.release,
    pipelineVariables: variables.map(secretVariable),
    /** The settings variables, with or without the protected ones. */
    settings: settingsReader(deps, project),
    dependenciesInPipeline: dependencyReader(database, together),
    played: once(() => playedTogether(deps, together)),
    running: once(() => countProjectJobsOnInstanceRunners(database, project.id)),
  }
}

async function factsOfCreator(database: Database, pipeline: PipelineRow) {
  const creator = await findUser(database, pipeline.user_id)
  return { creator, mergeRequests: await factsOfStoredPipeline(database, pipeline, creator) }
}

async function factsOfTag({ database, repositories }: LoadFactsDeps, { project_id, ref }: PipelineRow) {
  const [release, tagMessage] = await Promise.all([
    releaseOfTag(database, project_id, ref),
    repositories.tagMessage(project_id, ref),
  ])
  return { release, tagMessage }
}

/** The level is read only for projects with the setting. */
async function isHeldWhenFailed(
  { outside }: LoadFactsDeps,
  project: ProjectRow,
  user: UserRow,
): Promise<boolean> {
  const { hold_failed_jobs_minimum_role: role } = project
  return role !== 'no_one_allowed' && (await outside.levelOf(user, project)) >= OVERRIDE_LEVELS[role]
}

type PlayedVariables = ReturnType<typeof playedVariables>

const playedByTurn = new WeakMap<readonly number[], PlayedVariables>()

/** Read once for all jobs that were dispatched together, of any pipeline. */
function playedTogether(deps: LoadFactsDeps, together: readonly number[]): PlayedVariables {
  const known = playedByTurn.get(together)
  const played = known ?? playedVariables(deps, together)
  if (!known) playedByTurn.set(together, played)
  return played
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => (known ??= read())
}

/** Reads each kind once. */
function settingsReader(
  deps: LoadFactsDeps,
  project: ProjectRow,
): (isProtected: boolean) => Promise<ContextVariable[]> {
  const known = new Map<boolean, Promise<ContextVariable[]>>()
  return (isProtected) => {
    const variables = known.get(isProtected) ?? settingsVariables(deps, project, isProtected)
    known.set(isProtected, variables)
    return variables
  }
}

function triggerOf(
  secrets: SecretBox,
  { trigger_short_token: shortToken, trigger_payload_encrypted: payload }: PipelineRow,
): EventFacts['trigger'] {
  if (shortToken === null) return undefined
  return { shortToken, ...(payload !== null && { payload: secrets.decrypt(payload) }) }
}

async function factsOfDependencies(deps: LoadFactsDeps, jobs: NamedJob[]) {
  const [variables, dependencies] = await Promise.all([
    dotenvVariables(deps, jobs),
    loadDependencies(deps, jobs),
  ])
  return { dotenvVariables: variables.map(secretVariable), dependencies }
}

async function loadDependencies({ artifacts }: LoadFactsDeps, jobs: NamedJob[]): Promise<DependencyFacts[]> {
  const files = await artifacts.ofJobs(jobs.map(({ id }) => id))
  const archives = new Map(
    files.filter((file) => file.file_type === 'archive').map((archive) => [archive.job_id, archive]),
  )
  return jobs.map(({ id, name }) => {
    const archive = archives.get(id)
    return { id, name, ...(archive && { archive: { filename: archive.filename, size: archive.size } }) }
  })
}

function loadCacheKeyIds(
  repositories: LoadFactsDeps['repositories'],
  job: JobRow,
  { project_id, sha }: PipelineRow,
): Promise<string[][]> {
  const keys = (job.options.caches ?? []).map(({ key }) => key)
  return Promise.all(
    keys.map(async (key) => {
      if (key === undefined || typeof key === 'string') return []
      const files = key.files.map((file) => file.replace(/^\/+/, ''))
      return key.by === 'commit'
        ? await repositories.lastCommits(project_id, sha, files)
        : await repositories.objectIds(project_id, sha, files)
    }),
  )
}

/** `file` and `raw` are sent only when true (runner protocol, 2.7). */
export function secretVariable({ key, value, masked, file, raw }: ContextVariable): JobVariable {
  return {
    key,
    value,
    public: false,
    masked: masked ?? false,
    ...(file && { file }),
    ...(raw && { raw }),
  }
}
