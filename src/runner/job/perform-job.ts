import { hostname } from 'node:os'

import { messageOf } from '../../lib/errors.js'
import type { JobEnvironment } from '../executor/executor.js'
import { RUNNER_NAME, RUNNER_REVISION, RUNNER_VERSION } from '../runner-info.js'
import { shortToken } from '../short-token.js'
import type { JobLog } from '../trace/job-log.js'
import type { Workspace } from '../workspace/workspace.js'
import type { JobControl } from './job-control.js'
import { type JobOutcome, outcomeOf } from './outcome.js'
import { performStages } from './perform-stages.js'
import { prepareExecutor } from './prepare-executor.js'
import type { AssignedJob, RunJobDeps } from './run-job.js'
import { workspaceRequest } from './sources.js'
import { inStage, STAGES } from './stages.js'
import { collectVariables, type JobVariables } from './variables.js'

/** A job under way. */
export interface Performance {
  deps: RunJobDeps
  assigned: AssignedJob
  log: JobLog
  control: JobControl
  timeoutSeconds: number
  /** What need not delay the result; the job's place is free again when all of it is done. Never rejects. */
  afterwards: Promise<void>[]
}

/** Everything between the first and the last line of the trace. Never throws: what breaks is the outcome. */
export async function performJob(performance: Performance): Promise<JobOutcome> {
  writeHeader(performance)
  let workspace: Workspace | undefined
  try {
    const { payload, concurrentProjectId } = performance.assigned
    workspace = await performance.deps.workspaces.open(workspaceRequest(payload, concurrentProjectId))
    return await performInWorkspace(performance, workspace)
  } catch (error) {
    return outcomeOf(error)
  } finally {
    await tidy(performance, 'The workspace could not be tidied up', async () => workspace?.close())
  }
}

async function performInWorkspace(performance: Performance, workspace: Workspace): Promise<JobOutcome> {
  const { deps, assigned, log, control } = performance
  const { payload, concurrentProjectId } = assigned
  const variables = variablesIn(performance, workspace)
  const environment = await inStage(log, STAGES.prepareExecutor, () =>
    prepareExecutor({
      payload,
      entry: deps.entry,
      concurrentProjectId,
      executor: deps.executor,
      workspace,
      variables,
      log,
      control,
      retryDelay: deps.timings.prepareRetry,
      timeoutSeconds: deps.entry.prepareTimeoutSeconds,
    }),
  )
  try {
    await inStage(log, STAGES.prepareScript, () => prepareEnvironment(performance, workspace, variables))
    return await performStages({
      payload,
      entry: deps.entry,
      client: deps.client,
      job: payload,
      log,
      control,
      timings: deps.timings,
      temporaryDir: deps.temporaryDir,
      timeoutSeconds: performance.timeoutSeconds,
      workspace,
      variables,
      environment,
    })
  } finally {
    await cleanUp(performance, environment, workspace)
  }
}

function writeHeader({ deps, log, assigned }: Performance): void {
  log.plain(`Running with ${RUNNER_NAME} ${RUNNER_VERSION} (${RUNNER_REVISION})`)
  log.plain(`  on ${deps.entry.name} ${shortToken(deps.entry.token)}, system ID: ${deps.systemId}`)
  if (assigned.payload.cache?.length) log.warning('This runner has no cache yet: "cache" has no effect')
  if (assigned.payload.hooks?.length) log.warning('This runner has no hooks yet: "hooks" has no effect')
}

function variablesIn({ deps, assigned, timeoutSeconds }: Performance, workspace: Workspace): JobVariables {
  return collectVariables({
    payload: assigned.payload,
    place: workspace,
    configured: deps.entry.environment,
    runnerToken: deps.entry.token,
    concurrentId: assigned.concurrentId,
    concurrentProjectId: assigned.concurrentProjectId,
    timeoutSeconds,
  })
}

async function prepareEnvironment(
  { deps, assigned, log }: Performance,
  workspace: Workspace,
  variables: JobVariables,
): Promise<void> {
  const { job_info } = assigned.payload
  const name = `runner-${shortToken(deps.entry.token)}-project-${job_info.project_id}-concurrent-${assigned.concurrentProjectId}`
  log.plain(`Running on ${name} via ${hostname()}...`)
  for (const { name, content } of variables.files) await workspace.writeTemporaryFile(name, content)
}

async function cleanUp(
  performance: Performance,
  environment: JobEnvironment,
  workspace: Workspace,
): Promise<void> {
  performance.afterwards.push(removeEnvironment(performance, environment))
  await inStage(performance.log, STAGES.cleanUp, () =>
    tidy(performance, 'The workspace could not be tidied up', () => workspace.close()),
  )
}

/** Beside the delivery of the result: nothing runs in the container any more. */
async function removeEnvironment({ deps }: Performance, environment: JobEnvironment): Promise<void> {
  try {
    await environment.cleanUp()
  } catch (error) {
    deps.logger.error({ err: error }, 'The container of a job could not be removed')
  }
}

/** What cannot be tidied up is said and does not change how the job ended (runner protocol, 7.11). */
async function tidy({ log, deps }: Performance, problem: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    deps.logger.error({ err: error }, problem)
    log.error(`${problem}: ${messageOf(error)}`)
  }
}
