import { hostname } from 'node:os'

import { EgressRules } from '../../egress/egress-rules.js'
import { messageOf } from '../../lib/errors.js'
import { RUNNER_NAME, RUNNER_REVISION, RUNNER_VERSION, shortToken } from '../client/runner-info.js'
import type { RunnerRegistration } from '../config/settings.js'
import type { JobEnvironment } from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import type { TraceBuffer } from '../trace/trace-buffer.js'
import {
  attemptsSetting,
  collectVariables,
  expandText,
  type JobVariables,
  secretsOf,
} from '../variables/job-variables.js'
import type { JobPaths, JobWorkspace, WorkspaceRequest } from '../workspace/workspace.js'
import { containerWorkspace } from './container-workspace.js'
import { uploadOrKeep } from './deliver-kept.js'
import type { EndedJob, JobContext, RunJobDeps } from './job-context.js'
import type { JobControl } from './job-control.js'
import { jobHelper } from './job-helper.js'
import type { JobShells } from './job-shells.js'
import type { JobSteps } from './job-steps.js'
import type { JobJournal } from './journal/job-journal.js'
import { catchOutcome, type JobOutcome, outcomeOf, SUCCESS } from './outcome.js'
import { executorJob, prepareExecutor, workspaceRequest } from './prepare-executor.js'
import { removeHeld } from './remove-held.js'
import type { RunFileStage } from './stages/file-stage.js'
import { runFileStage } from './stages/file-stages.js'
import { getSources } from './stages/get-sources.js'
import { runAfterScript, runSteps, scriptsOf, STAGE_SCRIPT } from './stages/run-scripts.js'
import { inStage, prepareStage, STAGES } from './stages/stage.js'

/** File variables often hold keys, so only the user of the job may read them. */
const FILE_VARIABLE_MODE = 0o600

/** A job that is running. */
export interface JobExecution {
  deps: RunJobDeps
  journal: JobJournal
  steps: JobSteps
  trace: Pick<TraceBuffer, 'hide'>
  log: JobLog
  control: JobControl
  shells: Pick<JobShells, 'enter' | 'end'>
  timeoutSeconds: number
  /**
   * Work that need not delay the result. The job keeps its slot until all of it is done. These promises never
   * reject.
   */
  afterwards: Promise<void>[]
}

/** Runs everything between the first and the last line of the log. Never throws: an error becomes the outcome. */
export async function executeJob(execution: JobExecution): Promise<JobOutcome> {
  try {
    await fillInSecrets(execution)
    const request = requestOf(execution)
    const variables = variablesIn(execution, execution.deps.workspaces.locate(request))
    const environment = await prepare(execution, variables)
    return await executeInEnvironment(execution, request, variables, environment)
  } catch (error) {
    return outcomeOf(error)
  }
}

/** Resolves the secrets of the job into variables. The log masks their values from then on. */
async function fillInSecrets(execution: JobExecution): Promise<void> {
  const { journal, steps, trace, log, control, deps } = execution
  const { secrets } = journal.job.payload
  if (!secrets || Object.keys(secrets).length === 0) return
  await steps.once(STAGES.resolveSecrets.name, async () => {
    writeHeader(execution)
    const { values } = variablesIn(execution, deps.workspaces.locate(requestOf(execution)))
    const { resolveSecrets } = await import('../secrets/resolve-secrets.js')
    const variables = await inStage(log, STAGES.resolveSecrets, () =>
      resolveSecrets({
        secrets,
        expand: (text) => expandText(text, values),
        attempts: attemptsSetting(values, 'SECRETS_RETRIEVAL_ATTEMPTS', (text) => log.warning(text)),
        retryDelay: deps.timings.prepareRetry,
        egress: new EgressRules(deps.registration.allowedLocalHosts),
        signal: control.work,
        log: (line) => log.plain(line),
      }),
    )
    await trace.hide(secretsOf({ ...journal.job.payload, variables }))
    await journal.recordSecrets(variables)
    return SUCCESS
  })
}

/** Prepares the executor, or adopts the environment that an earlier process prepared. */
async function prepare(execution: JobExecution, variables: JobVariables): Promise<JobEnvironment> {
  const { deps, journal, steps, log, control } = execution
  const preparation = {
    payload: journal.job.payload,
    registration: deps.registration,
    concurrentProjectId: journal.job.concurrentProjectId,
    executor: deps.executor,
    variables,
    log,
    control,
    retryDelay: deps.timings.prepareRetry,
    timeoutSeconds: deps.registration.prepareTimeoutSeconds,
  }
  let prepared: JobEnvironment | undefined
  const work = async () => {
    if (!steps.isDone(STAGES.resolveSecrets.name)) writeHeader(execution)
    prepared = await inStage(log, prepareStage(deps.registration.executor ?? 'docker'), () =>
      prepareExecutor(preparation),
    )
    steps.runIn(prepared)
    return SUCCESS
  }
  await steps.once('prepare_executor', work)
  if (prepared) return prepared
  const adopted = await deps.executor.adopt(executorJob(preparation), journal.environment ?? {}, log)
  steps.runIn(adopted)
  // Their connections ended with the earlier process.
  await adopted.interior?.endShells()
  return adopted
}

async function executeInEnvironment(
  execution: JobExecution,
  request: WorkspaceRequest,
  variables: JobVariables,
  environment: JobEnvironment,
): Promise<JobOutcome> {
  let workspace: JobWorkspace | undefined
  let isHeld = false
  try {
    const opened = await openWorkspace(execution, request, environment)
    workspace = opened.workspace
    const outcome = await executeInWorkspace(execution, opened, variables, environment)
    execution.shells.end()
    isHeld = await beginHold(execution, { outcome, environment, workspace, values: variables.values })
    return outcome
  } finally {
    if (!isHeld) await cleanUp(execution, environment, workspace)
  }
}

async function beginHold(
  { deps, journal, log }: JobExecution,
  ended: Pick<EndedJob, 'outcome' | 'environment' | 'values'> & { workspace: JobWorkspace },
): Promise<boolean> {
  const { workspace, ...job } = ended
  const { environment } = ended
  const { logger } = deps
  const result = await deps.holds?.begin({
    ...job,
    journal,
    log,
    writeScript: async (content) => {
      await workspace.writeTemporaryFile(STAGE_SCRIPT, content)
      await writeStepFiles(deps.registration, journal, workspace)
    },
    cleanUp: () => removeHeld({ environment, workspace, logger }),
  })
  return result ?? false
}

/** Writes the program `switchyard-step`. Loaded with the first held job, to save memory. */
async function writeStepFiles(
  registration: RunnerRegistration,
  journal: JobJournal,
  workspace: JobWorkspace,
): Promise<void> {
  const { stepFiles } = await import('./stages/switchyard-step/step-files.js')
  const scripts = scriptsOf({ payload: journal.job.payload, registration })
  for (const { name, content, mode } of stepFiles(scripts, journal.scriptSteps, workspace.temporaryDir))
    await workspace.writeTemporaryFile(name, content, mode)
}

async function executeInWorkspace(
  execution: JobExecution,
  { workspace, runFileStageOf }: OpenedWorkspace,
  variables: JobVariables,
  environment: JobEnvironment,
): Promise<JobOutcome> {
  const { deps, journal, steps, log, control, timeoutSeconds } = execution
  environment.open(() => containerWorkspace(workspace, variables))
  execution.shells.enter(environment.interior)
  const prepareScript = () => prepareEnvironment(execution, workspace, variables, environment.machine)
  await steps.once('prepare_script', prepareScript)
  const job = {
    payload: journal.job.payload,
    registration: deps.registration,
    client: deps.client,
    caches: deps.caches,
    damagedCaches: journal.damagedCaches,
    job: journal.job.payload,
    log,
    steps,
    control,
    timings: deps.timings,
    temporaryDir: deps.temporaryDir,
    timeoutSeconds,
    workspace,
    variables,
    environment,
    mayBeHeld: environment.interior !== undefined && (deps.holds?.mayHold(variables.values) ?? false),
  }
  return await performStages({ ...job, runFileStage: runFileStageOf(job) })
}

function writeHeader({ deps, log }: JobExecution): void {
  log.plain(`Running with ${RUNNER_NAME} ${RUNNER_VERSION} (${RUNNER_REVISION})`)
  log.plain(
    `  on ${deps.registration.name} ${shortToken(deps.registration.token)}, system ID: ${deps.systemId}`,
  )
}

function requestOf(execution: JobExecution): WorkspaceRequest {
  const { payload, concurrentProjectId } = execution.journal.job
  const { registration } = execution.deps
  const valuesIn = (paths: JobPaths) => variablesIn(execution, paths).values
  return workspaceRequest({ payload, concurrentProjectId, registration, valuesIn })
}

function variablesIn({ deps, journal, timeoutSeconds }: JobExecution, paths: JobPaths): JobVariables {
  return collectVariables({
    payload: journal.job.payload,
    paths,
    configured: deps.registration.environment,
    runnerToken: deps.registration.token,
    concurrentId: journal.job.concurrentId,
    concurrentProjectId: journal.job.concurrentProjectId,
    timeoutSeconds,
  })
}

/**
 * Opens the workspace. A resumed job whose file variables are already written reopens it with these files in place.
 */
async function openWorkspace(
  { deps, steps }: JobExecution,
  request: WorkspaceRequest,
  { owner, files, helper }: JobEnvironment,
): Promise<OpenedWorkspace> {
  const isNew = !steps.isDone('prepare_script')
  if (helper) {
    const workspace = await helper.openWorkspace({ ...request, owner }, isNew)
    const runFileStageOf: OpenedWorkspace['runFileStageOf'] = (job) => (stage, isSuccess) =>
      jobHelper(helper).runFileStage(job, stage, isSuccess)
    return { workspace, runFileStageOf }
  }
  const wanted = { ...request, owner, files }
  const workspace = await (isNew ? deps.workspaces.open(wanted) : deps.workspaces.reopen(wanted))
  return {
    workspace,
    runFileStageOf: (job) => (stage, isSuccess) =>
      runFileStage({ ...job, workspace }, stage, isSuccess, (needs, artifact) =>
        uploadOrKeep({ ...needs, steps: job.steps }, artifact),
      ),
  }
}

/** A workspace, and how the stages of a job in it move its files. */
interface OpenedWorkspace {
  workspace: JobWorkspace
  runFileStageOf: (job: Omit<JobContext, 'runFileStage'>) => RunFileStage
}

async function prepareEnvironment(
  { deps, journal, log }: JobExecution,
  workspace: JobWorkspace,
  variables: JobVariables,
  machine: string | undefined,
): Promise<JobOutcome> {
  const { payload, concurrentProjectId } = journal.job
  const name =
    machine ??
    `runner-${shortToken(deps.registration.token)}-project-${payload.job_info.project_id}-concurrent-${concurrentProjectId}`
  await inStage(log, STAGES.prepareScript, async () => {
    log.plain(`Running on ${name} via ${hostname()}...`)
    for (const { name, content } of variables.files) {
      await workspace.writeTemporaryFile(name, content, FILE_VARIABLE_MODE)
    }
  })
  return SUCCESS
}

async function cleanUp(
  execution: JobExecution,
  environment: JobEnvironment,
  workspace: JobWorkspace | undefined,
): Promise<void> {
  const removed = removeEnvironment(execution, environment)
  await inStage(execution.log, STAGES.cleanUp, () => logFailure(execution, async () => workspace?.close()))
  execution.afterwards.push(removed.then(() => maintain(execution, workspace)))
}

/**
 * Packs the repository of the workspace. Runs after the container is removed, so that no other process reads the
 * workspace.
 */
async function maintain({ deps }: JobExecution, workspace: JobWorkspace | undefined): Promise<void> {
  try {
    await workspace?.maintain()
  } catch (error) {
    deps.logger.warn({ err: error }, 'The repository of a workspace could not be packed')
  }
}

/** Removes the container while the result is being delivered. Nothing runs in it any more. */
async function removeEnvironment({ deps }: JobExecution, environment: JobEnvironment): Promise<void> {
  try {
    await environment.cleanUp()
  } catch (error) {
    deps.logger.error({ err: error }, 'The container of a job could not be removed')
  }
}

/** Logs a failed cleanup. It does not change the outcome of the job (runner protocol, 7.11). */
async function logFailure({ log, deps }: JobExecution, work: () => Promise<void>): Promise<void> {
  const problem = 'The workspace could not be cleaned up'
  try {
    await work()
  } catch (error) {
    deps.logger.error({ err: error }, problem)
    log.error(`${problem}: ${messageOf(error)}`)
  }
}

/**
 * Runs all stages from the sources to the artifacts (runner protocol, 7.1):
 *
 *     sources ─▶ caches ─▶ dependencies ─▶ script ─▶ after-script ─▶ caches ─▶ artifacts
 *        └──────────┴──────────┴─ failed or canceled ──────────────────▲
 *
 * When the whole job is stopped (aborted, timed out, runner interrupted), no further stage starts.
 */
async function performStages(job: JobContext): Promise<JobOutcome> {
  const files = await prepareFiles(job)
  const scripts = files.kind === 'success' ? await unlessStopped(job, () => runSteps(job)) : files
  const wasScriptReached = files.kind === 'success' && scripts.kind !== 'system-failure'
  const after = wasScriptReached
    ? await stage(job, 'after_script', () => runAfterScript(job, scripts))
    : SUCCESS
  const isSuccess = scripts.kind === 'success' && after.kind === 'success'
  job.control.beginFiles()
  const saved = await stage(job, 'save_caches', () => job.runFileStage('save_caches', isSuccess))
  const uploads = await stage(job, 'upload_artifacts', () => job.runFileStage('upload_artifacts', isSuccess))
  if (job.control.whole.aborted) return outcomeOf(job.control.whole.reason)
  return [scripts, after, saved, uploads].find((outcome) => outcome.kind !== 'success') ?? SUCCESS
}

async function prepareFiles(job: JobContext): Promise<JobOutcome> {
  const sources = await stage(job, 'get_sources', async () => {
    await getSources(job)
    return SUCCESS
  })
  if (sources.kind !== 'success') return sources
  const restored = await stage(job, 'restore_caches', () => job.runFileStage('restore_caches', true))
  if (restored.kind !== 'success') return restored
  return stage(job, 'download_artifacts', () => job.runFileStage('download_artifacts', true))
}

/** Runs a stage as a step of the job. An error becomes its outcome. */
function stage(job: JobContext, name: string, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  return unlessStopped(job, () => job.steps.once(name, () => catchOutcome(work)))
}

async function unlessStopped(job: JobContext, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  return job.control.whole.aborted ? outcomeOf(job.control.whole.reason) : catchOutcome(work)
}
