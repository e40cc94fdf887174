import { Writable } from 'node:stream'

import type { Logger } from '../../lib/logger.js'
import type { RunnerRegistration } from '../config/settings.js'
import { type Executor, ExecutorError, type JobEnvironment } from '../executor/executor.js'
import { JobLog } from '../trace/job-log.js'
import { collectVariables } from '../variables/job-variables.js'
import type { JobPaths, WorkspaceProvider } from '../workspace/workspace.js'
import { containerWorkspace } from './container-workspace.js'
import type { JobJournal } from './journal/job-journal.js'
import { executorJob, workspaceRequest } from './prepare-executor.js'
import { removeHeld } from './remove-held.js'

export interface AdoptHeldDeps {
  registration: RunnerRegistration
  executor: Executor
  workspaces: WorkspaceProvider
  logger: Logger
}

/**
 * Takes over the environment and the workspace of a job that an earlier process held. Throws an `ExecutorError` if the
 * environment is lost.
 */
export async function adoptHeld(
  { registration, executor, workspaces, logger }: AdoptHeldDeps,
  journal: JobJournal,
): Promise<{ environment: JobEnvironment; cleanUp: () => Promise<void> }> {
  const { payload, concurrentId, concurrentProjectId } = journal.job
  const variablesIn = (paths: JobPaths) =>
    collectVariables({
      payload,
      paths,
      configured: registration.environment,
      runnerToken: registration.token,
      concurrentId,
      concurrentProjectId,
      timeoutSeconds: payload.runner_info.timeout,
    })
  const valuesIn = (paths: JobPaths) => variablesIn(paths).values
  const request = workspaceRequest({ payload, concurrentProjectId, registration, valuesIn })
  const variables = variablesIn(workspaces.locate(request))
  const log = new JobLog(nowhere(), false)
  const job = executorJob({ payload, registration, concurrentProjectId, variables, log })
  if (!journal.environment)
    throw new ExecutorError('The held job has no environment', 'runner_system_failure')
  const environment = await executor.adopt(job, journal.environment, log)
  const { owner, files, helper } = environment
  const workspace = helper
    ? await helper.openWorkspace({ ...request, owner }, false)
    : await workspaces.reopen({ ...request, owner, files })
  environment.open(() => containerWorkspace(workspace, variables))
  return { environment, cleanUp: () => removeHeld({ environment, workspace, logger }) }
}

/** The log of the job has ended. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
