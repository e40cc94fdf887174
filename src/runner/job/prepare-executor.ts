import { messageOf } from '../../lib/errors.js'
import { retry } from '../../lib/retry.js'
import type { JobImage, JobPayload, JobService, JobVariable } from '../../protocol/job-payload.js'
import type { RunnerRegistration } from '../config/settings.js'
import { ExecutorError } from '../executor/errors.js'
import { readExecutorOptions } from '../executor/executor-options.js'
import type { Executor, ExecutorJob, JobEnvironment, ServiceRequest } from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import { expandText, type JobVariables } from '../variables/job-variables.js'
import { booleanSetting } from '../variables/variable-settings.js'
import { isProtectedJob } from './is-protected-job.js'
import { type JobControl, JobStopError } from './job-control.js'

const ATTEMPTS = 3
const AUTH_CONFIG = 'DOCKER_AUTH_CONFIG'

interface Preparation {
  payload: JobPayload
  registration: Pick<RunnerRegistration, 'docker' | 'debugTraceDisabled'>
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
    concurrentId: numberOf(variables.get('CI_CONCURRENT_ID')),
    authConfig: jobAuthConfig(payload, variables),
    credentials: payload.credentials ?? [],
    expand: (text) => expandText(text, variables.values),
    ...jobServices(preparation),
  }
}

/**
 * Reads `DOCKER_AUTH_CONFIG` from the variables of the job only. The executor reads the one from the runner's
 * settings itself. For a file variable, returns the content, because the variable holds the path.
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

type ConfiguredService = NonNullable<RunnerRegistration['docker']['services']>[number]

interface ServiceSources {
  payload: Pick<JobPayload, 'services'>
  registration: Pick<RunnerRegistration, 'docker' | 'debugTraceDisabled'>
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
    ...(registration.docker.services ?? []).map((service) => configuredRequest(service, variables)),
    ...(payload.services ?? []).map((service) => jobRequest(service, variables)),
  ]
  return {
    services: services.filter(({ name }) => name !== ''),
    showServiceLogs: setting('CI_DEBUG_SERVICES') && !registration.debugTraceDisabled,
    networkPerBuild: setting('FF_NETWORK_PER_BUILD'),
  }
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

function jobRequest(service: JobService, variables: ServiceSources['variables']): ServiceRequest {
  const { user, platform } = readExecutorOptions(service.executor_opts, 'service')
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
