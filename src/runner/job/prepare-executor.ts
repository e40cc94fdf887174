import { messageOf } from '../../lib/errors.js'
import { retry } from '../../lib/retry.js'
import type { JobImage, JobPayload } from '../../protocol/job-payload.js'
import { ExecutorError } from '../executor/errors.js'
import type { Executor, ExecutorJob, JobEnvironment } from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import { expandText } from './expand.js'
import type { JobControl } from './job-control.js'
import { JobStopError } from './job-stop.js'
import type { JobVariables } from './variables.js'

const ATTEMPTS = 3

export interface Preparation {
  payload: JobPayload
  concurrentProjectId: number
  executor: Executor
  variables: JobVariables
  log: JobLog
  control: JobControl
  retryDelay: number
}

/** The image and whatever else stands around the script's container; what is not the job's own fault is tried three times. */
export async function prepareExecutor(preparation: Preparation): Promise<JobEnvironment> {
  const { executor, log, control, retryDelay } = preparation
  refuseUnsupported(preparation.payload)
  const job = executorJob(preparation)
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
  })
}

/** Errors with a reason of their own would only come again. */
function isClassified(error: unknown): boolean {
  return error instanceof ExecutorError && error.reason !== 'runner_system_failure'
}

function refuseUnsupported(payload: JobPayload): void {
  if (payload.services?.length) {
    const names = payload.services.map((service) => service.name).join(', ')
    throw new ExecutorError(
      `the job asks for services (${names}), which this runner cannot start yet`,
      'runner_configuration_error',
    )
  }
}

/** What an executor is told of a job. */
export function executorJob(
  preparation: Pick<Preparation, 'payload' | 'concurrentProjectId' | 'variables'>,
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
  }
}

function expandImage(image: JobImage | undefined, variables: JobVariables): JobImage | undefined {
  const name = image && expandText(image.name, variables.values)
  return image && name ? { ...image, name } : undefined
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text)
}
