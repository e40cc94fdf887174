import { messageOf } from '../../lib/errors.js'
import { retry } from '../../lib/retry.js'
import type { JobImage, JobPayload } from '../../protocol/job-payload.js'
import type { RunnerEntry } from '../config/settings.js'
import { ExecutorError } from '../executor/errors.js'
import type { Executor, ExecutorJob, JobEnvironment } from '../executor/executor.js'
import { readExecutorOptions } from '../executor/executor-options.js'
import type { JobLog } from '../trace/job-log.js'
import { expandText } from '../variables/expand.js'
import type { JobVariables } from '../variables/job-variables.js'
import { isProtectedJob } from './is-protected-job.js'
import type { JobControl } from './job-control.js'
import { jobServices } from './job-services.js'
import { JobStopError } from './job-stop.js'

const ATTEMPTS = 3
const AUTH_CONFIG = 'DOCKER_AUTH_CONFIG'

export interface Preparation {
  payload: JobPayload
  entry: Pick<RunnerEntry, 'docker' | 'debugTraceDisabled'>
  concurrentProjectId: number
  executor: Executor
  variables: JobVariables
  log: JobLog
  control: JobControl
  retryDelay: number
  /** Of the whole preparation, pulls and tries included. */
  timeoutSeconds: number
}

/** The image and whatever else stands around the script's container; what is not the job's own fault is tried three times. */
export async function prepareExecutor(preparation: Preparation): Promise<JobEnvironment> {
  const { executor, log, control, retryDelay } = preparation
  readExecutorOptions(preparation.payload.image?.executor_opts, 'image')
  const job = executorJob(preparation)
  const takeBackLimit = control.limit(preparation.timeoutSeconds, 'prepare-timeout')
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
  }).finally(takeBackLimit)
}

/** Errors with a reason of their own would only come again. */
function isClassified(error: unknown): boolean {
  return error instanceof ExecutorError && error.reason !== 'runner_system_failure'
}

/** What an executor is told of a job. */
export function executorJob(
  preparation: Pick<Preparation, 'payload' | 'entry' | 'concurrentProjectId' | 'variables' | 'log'>,
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

/** Of the job itself: one of the runner's settings is the executor's to know. A file variable holds its path. */
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
