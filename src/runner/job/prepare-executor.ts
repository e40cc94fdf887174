import { isAbsolute, join, normalize } from 'node:path/posix'

import { messageOf } from '../../lib/errors.js'
import { retry } from '../../lib/retry.js'
import type { JobImage, JobPayload, JobService, JobVariable } from '../../protocol/job-payload.js'
import type { DockerSettings, RunnerRegistration } from '../config/settings.js'
import {
  type Executor,
  ExecutorError,
  type ExecutorJob,
  type JobEnvironment,
  readExecutorOptions,
  type ServiceRequest,
} from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import { booleanSetting, choiceSetting, expandText, type JobVariables } from '../variables/job-variables.js'
import { DEFAULT_BUILDS_DIR, defaultProjectDir } from '../workspace/layout.js'
import {
  type JobPaths,
  type SourceRequest,
  SourcesError,
  type WorkspaceRequest,
} from '../workspace/workspace.js'
import { type JobControl, JobStopError } from './job-control.js'

const ATTEMPTS = 3
const AUTH_CONFIG = 'DOCKER_AUTH_CONFIG'

interface Preparation {
  payload: JobPayload
  registration: Pick<RunnerRegistration, 'docker' | 'kubernetes' | 'debugTraceDisabled'>
  concurrentProjectId: number
  executor: Executor
  variables: JobVariables
  log: JobLog
  control: JobControl
  retryDelay: number
  /** Limit for the whole preparation, including image pulls and retries. */
  timeoutSeconds: number
}

/**
 * Prepares the image, the services and the network of the job. Makes up to three attempts, unless the failure is
 * the fault of the job.
 */
export async function prepareExecutor(preparation: Preparation): Promise<JobEnvironment> {
  const { executor, log, control, retryDelay } = preparation
  readExecutorOptions(preparation.payload.image?.executor_opts, 'image')
  const job = executorJob(preparation)
  const clearLimit = control.limit(preparation.timeoutSeconds, 'prepare-timeout')
  return retry(() => executor.prepare(job, log, control.work), {
    attempts: ATTEMPTS,
    delay: retryDelay,
    maximumDelay: retryDelay,
    signal: control.work,
    isWorthRetrying: (error) => {
      const isWorth = !(error instanceof JobStopError) && !isClassified(error)
      if (isWorth) log.warning(`Preparation failed: ${messageOf(error)}`)
      return isWorth
    },
  }).finally(clearLimit)
}

/** Errors with a specific failure reason would only occur again. */
function isClassified(error: unknown): boolean {
  return error instanceof ExecutorError && error.reason !== 'runner_system_failure'
}

/** The description of a job for its executor. */
export function executorJob(
  preparation: Pick<Preparation, 'payload' | 'registration' | 'concurrentProjectId' | 'variables' | 'log'>,
): ExecutorJob {
  const { payload, variables } = preparation
  return {
    jobId: payload.id,
    projectId: payload.job_info.project_id,
    pipelineId: payload.job_info.pipeline_id ?? numberOf(variables.get('CI_PIPELINE_ID')),
    jobUrl: variables.get('CI_JOB_URL'),
    sha: payload.git_info.sha,
    ref: payload.git_info.ref,
    concurrentProjectId: preparation.concurrentProjectId,
    image: expandImage(payload.image ?? undefined, variables),
    isProtected: isProtectedJob(payload),
    beforeSha: payload.git_info.before_sha ?? undefined,
    timeoutSeconds: numberOf(variables.get('CI_JOB_TIMEOUT')),
    leaseSeconds: payload.features?.lease_seconds,
    concurrentId: numberOf(variables.get('CI_CONCURRENT_ID')),
    authConfig: jobAuthConfig(payload, variables),
    credentials: payload.credentials ?? [],
    expand: (text) => expandText(text, variables.values),
    values: variables.values,
    ...jobServices(preparation),
  }
}

/**
 * Reads `DOCKER_AUTH_CONFIG` from the variables of the job only. The executor reads the one from the runner's
 * settings itself. Returns the content of a file variable, because the variable holds the path.
 */
function jobAuthConfig({ variables: given }: JobPayload, variables: JobVariables): string | undefined {
  const variable = given.findLast(({ key }) => key === AUTH_CONFIG)
  return variable?.file ? variable.value : variable && variables.get(AUTH_CONFIG)
}

function expandImage(image: JobImage | undefined, variables: JobVariables): JobImage | undefined {
  const name = image && expandText(image.name, variables.values)
  return image && name ? { ...image, name } : undefined
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text)
}

type ConfiguredService = NonNullable<DockerSettings['services']>[number]

interface ServiceSources {
  payload: Pick<JobPayload, 'services'>
  registration: Pick<RunnerRegistration, 'docker' | 'kubernetes' | 'debugTraceDisabled'>
  variables: Pick<JobVariables, 'list' | 'values'>
  log: Pick<JobLog, 'warning'>
}

/** The services of a job, the configured ones first, and its settings for services (runner protocol, 7.8). */
export function jobServices(
  sources: ServiceSources,
): Pick<ExecutorJob, 'services' | 'showServiceLogs' | 'networkPerBuild'> {
  const { payload, registration, variables, log } = sources
  const setting = (name: string) => booleanSetting(variables.values, name, false, (text) => log.warning(text))
  const services = [
    ...configuredServices(registration).map((service) => configuredRequest(service, variables)),
    ...(payload.services ?? []).map((service) => jobRequest(service, sources)),
  ]
  return {
    services: services.filter(({ name }) => name !== ''),
    showServiceLogs: setting('CI_DEBUG_SERVICES') && !registration.debugTraceDisabled,
    networkPerBuild: setting('FF_NETWORK_PER_BUILD'),
  }
}

/** Those of the settings of the executor. */
function configuredServices({
  docker,
  kubernetes,
}: ServiceSources['registration']): readonly ConfiguredService[] {
  return (kubernetes ?? docker)?.services ?? []
}

function configuredRequest(
  service: ConfiguredService,
  variables: ServiceSources['variables'],
): ServiceRequest {
  return {
    ...named(service, variables),
    environment: environmentOf(service.environment, variables),
    pullPolicy: undefined,
    user: undefined,
    platform: undefined,
    isConfigured: true,
  }
}

function jobRequest(
  service: JobService,
  { registration, variables }: Pick<ServiceSources, 'registration' | 'variables'>,
): ServiceRequest {
  const executor = registration.kubernetes ? 'kubernetes' : 'docker'
  const { user, platform } = readExecutorOptions(service.executor_opts, 'service', executor)
  return {
    ...named(service, variables),
    environment: environmentOf(service.variables ?? [], variables),
    pullPolicy: service.pull_policy ?? undefined,
    user: expanded(user, variables),
    platform: expanded(platform, variables),
    isConfigured: false,
  }
}

function named(
  service: Pick<JobService, 'name' | 'alias' | 'entrypoint' | 'command'>,
  variables: ServiceSources['variables'],
) {
  const aliases = expandText(service.alias ?? '', variables.values)
  return {
    name: expandText(service.name, variables.values),
    aliases: aliases.split(/[\s,]+/).filter((alias) => alias !== ''),
    entrypoint: service.entrypoint ?? undefined,
    command: service.command ?? undefined,
  }
}

/**
 * The environment of a service: the public variables of the job, then its own variables. Its own variables may
 * refer to all variables of the job.
 */
function environmentOf(
  own: readonly JobVariable[],
  { list, values }: ServiceSources['variables'],
): Record<string, string> {
  const seen = list.filter((variable) => variable.public)
  const meant = own.map((variable) =>
    variable.raw ? variable : { ...variable, value: expandText(variable.value, values) },
  )
  return Object.fromEntries([...seen, ...meant].map(({ key, value }) => [key, value]))
}

function expanded(text: string | undefined, { values }: ServiceSources['variables']): string | undefined {
  return text === undefined ? undefined : expandText(text, values)
}

interface WorkspaceNeeds {
  payload: JobPayload
  concurrentProjectId: number
  registration: Pick<RunnerRegistration, 'buildsDir' | 'cloneUrl' | 'isClonePathAllowed' | 'docker'>
  /** The variables of the job for given paths. The paths themselves depend on some of them. */
  valuesIn: (paths: JobPaths) => ReadonlyMap<string, string>
}

/**
 * Determines the workspace of a job and its path inside the job (runner protocol, 7.4). Throws `SourcesError` for a
 * `GIT_CLONE_PATH` that is not allowed.
 */
export function workspaceRequest(needs: WorkspaceNeeds): WorkspaceRequest {
  const { payload, registration } = needs
  const { project_id: projectId } = payload.job_info
  const buildsDir = registration.buildsDir ?? DEFAULT_BUILDS_DIR
  const projectPath = pathOf(payload.git_info.repo_url) ?? `project-${projectId}`
  const projectDir = defaultProjectDir({ buildsDir, projectPath, projectId })
  const values = needs.valuesIn({ buildsDir, projectDir, temporaryDir: `${projectDir}.tmp` })
  const chosen = clonePath(values.get('GIT_CLONE_PATH') ?? '', buildsDir, registration.isClonePathAllowed)
  const isEmpty = strategyOf(payload, values, () => {}) === 'empty'
  const cores = coresOfJob(registration.docker ?? {})
  return {
    projectId,
    projectPath,
    concurrentProjectId: needs.concurrentProjectId,
    isProtected: isProtectedJob(payload),
    repositoryUrl: cloneUrlOf(payload, registration.cloneUrl, values.get('CI_PROJECT_PATH')),
    ...(cores === undefined ? {} : { cores }),
    ...(registration.buildsDir === undefined ? {} : { buildsDir }),
    ...(isEmpty ? { isEmpty } : {}),
    ...(chosen === undefined ? {} : { projectDir: chosen }),
  }
}

/** `GIT_STRATEGY`, or the project's default (runner protocol, 7.9). */
export function strategyOf(
  payload: JobPayload,
  values: ReadonlyMap<string, string>,
  warn: (text: string) => void,
): SourceRequest['strategy'] {
  const choices = ['clone', 'fetch', 'none', 'empty'] as const
  return choiceSetting(values, 'GIT_STRATEGY', choices, payload.allow_git_fetch ? 'fetch' : 'clone', warn)
}

/**
 * The clone URL, with credentials. The runner may have to use another address for repositories than the coordinator does
 * (`cloneUrl`; runner protocol, 7.9).
 */
export function cloneUrlOf(
  { git_info: git, token }: Pick<JobPayload, 'git_info' | 'token'>,
  cloneUrl: string | undefined,
  path: string | undefined,
): string {
  if (cloneUrl === undefined || path === undefined) return git.repo_url
  const url = new URL(`${cloneUrl.replace(/\/+$/, '')}/${path}.git`)
  url.username = 'gitlab-ci-token'
  url.password = token
  return url.href
}

/**
 * The project directory that the job requests with `GIT_CLONE_PATH`. Undefined if it requests none. Throws
 * `SourcesError` if the path is not allowed.
 */
export function clonePath(text: string, buildsDir: string, isAllowed: boolean): string | undefined {
  if (text === '') return undefined
  if (!isAllowed) {
    throw new SourcesError('GIT_CLONE_PATH is not allowed on this runner ("custom_build_dir")', undefined)
  }
  const path = normalize(isAbsolute(text) ? text : join(buildsDir, text)).replace(/\/+$/, '')
  // Docker splits the specification of a mount at colons.
  if (path.startsWith(`${buildsDir}/`) && !/[:\0\n]/.test(path)) return path
  throw new SourcesError(`GIT_CLONE_PATH: "${text}" is not below ${buildsDir}`, undefined)
}

/** The `group/project` part of a clone URL. */
function pathOf(repositoryUrl: string): string | undefined {
  if (!URL.canParse(repositoryUrl)) return undefined
  const path = new URL(repositoryUrl).pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return path === '' ? undefined : path
}

/**
 * Number of cores that the runner may use to compress the files of a job. It uses as many whole cores as the container
 * of the job may use, and at least one. Undefined means no limit. A helper beside the job has a number of its own
 * (`OpenHelperOptions`).
 */
export function coresOfJob({
  cpus,
  cpusetCpus,
}: Pick<DockerSettings, 'cpus' | 'cpusetCpus'>): number | undefined {
  const limits = [cpus ? Math.floor(cpus) : Infinity, cpusetCpus ? sizeOfSet(cpusetCpus) : Infinity]
  const cores = Math.max(1, Math.min(...limits))
  return cores === Infinity ? undefined : cores
}

/** Number of cores in a set such as `0-2,4`. Ranges may overlap. */
function sizeOfSet(text: string): number {
  const ranges = text.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return { first, last }
  })
  let size = 0
  let next = 0
  for (const { first, last } of ranges.sort((a, b) => a.first - b.first)) {
    size += Math.max(0, last - Math.max(first, next) + 1)
    next = Math.max(next, last + 1)
  }
  return size
}

/**
 * Whether the ref of the job is protected, as reported by the coordinator (architecture, decision 11). If
 * `git_info` does not report it, the first variable decides, because a job cannot set that variable.
 */
export function isProtectedJob(payload: JobPayload): boolean {
  const said = payload.variables.find(({ key }) => key === 'CI_COMMIT_REF_PROTECTED')?.value === 'true'
  return payload.git_info.protected ?? said
}
