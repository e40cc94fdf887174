import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { archiveFormat } from '../../../archive/archive-format.js'
import { NotAFileError, TooManyBytesError } from '../../../archive/errors.js'
import { messageOf } from '../../../lib/errors.js'
import { pause } from '../../../lib/pause.js'
import { MINUTE } from '../../../lib/time-units.js'
import type { JobArtifact, JobDependency } from '../../../protocol/job-payload.js'
import {
  type ArtifactFiles,
  fileNames,
  isNothing,
  isWanted,
  openContent,
  planUpload,
  statementFile,
  type UploadPlan,
} from '../../artifacts/artifact-archive.js'
import { sendArtifact, type SendResult, Tries } from '../../artifacts/send-artifact.js'
import type { OpenContent, SendDeps } from '../../artifacts/upload-attempt.js'
import { isFinalDownloadStatus, isUnavailable } from '../../client/errors.js'
import { responseStatus } from '../../client/response-status.js'
import { shortToken } from '../../client/runner-info.js'
import type { RunnerRegistration } from '../../config/settings.js'
import { attemptsSetting, booleanSetting, choiceSetting, expandText } from '../../variables/job-variables.js'
import { TooManyFilesError } from '../../workspace/select-files.js'
import type { SelectedFiles } from '../../workspace/workspace.js'
import type { JobContext } from '../job-context.js'
import { failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import { inStage, logSelection, type OwnWorkspace, STAGES, type StageSignals } from './stage.js'

export type UploadNeeds = Pick<JobContext, 'payload' | 'client' | 'job' | 'variables' | 'log' | 'timings'> &
  OwnWorkspace &
  StageSignals & { registration: Pick<RunnerRegistration, 'artifact'> }

/**
 * `nothing`: there are no files to upload, which is not a failure (runner protocol, 5.1). `kept`: the artifact is
 * uploaded later.
 */
export type UploadResult = SendResult | { kind: 'nothing' } | { kind: 'kept' }

const LEVELS = ['fastest', 'fast', 'default', 'slow', 'slowest'] as const

/**
 * Uploads every artifact whose `when` matches the result of the job, with one call of `upload` each. A failure does
 * not stop the other uploads. The first failure fails the job.
 */
export async function uploadArtifacts(
  job: UploadNeeds,
  isSuccess: boolean,
  upload: (job: UploadNeeds, artifact: JobArtifact) => Promise<UploadResult> = uploadArtifact,
): Promise<JobOutcome> {
  const artifacts = (job.payload.artifacts ?? []).filter((artifact) => isWanted(artifact, isSuccess))
  if (artifacts.length === 0) return SUCCESS
  return inStage(job.log, isSuccess ? STAGES.uploadOnSuccess : STAGES.uploadOnFailure, async () => {
    let outcome: JobOutcome = SUCCESS
    for (const artifact of artifacts) {
      const result = await upload(job, artifact)
      const isFailed = result.kind === 'failed' || result.kind === 'undelivered'
      if (isFailed && outcome === SUCCESS) outcome = failedUpload(result.problem)
    }
    return outcome
  })
}

function failedUpload(problem: string): JobOutcome {
  return { kind: 'failed', message: problem, reason: 'script_failure', exitCode: 1 }
}

/**
 * Selects the files of one artifact and uploads them. May be called again: the same files produce the same bytes.
 */
export async function uploadArtifact(job: UploadNeeds, artifact: JobArtifact): Promise<UploadResult> {
  const prepared = await prepareArtifact(job, artifact)
  if (prepared.kind !== 'ready') return prepared
  return await sendArtifact(sendDepsOf(job), prepared.plan, prepared.open)
}

export type PreparedArtifact =
  | { kind: 'nothing' }
  | { kind: 'failed'; problem: string }
  | { kind: 'ready'; plan: UploadPlan; open: OpenContent }

/**
 * Does everything except the upload, and logs which files were selected. Files that no archive can hold fail the job: the
 * runner is not to blame for them.
 */
export async function prepareArtifact(job: UploadNeeds, artifact: JobArtifact): Promise<PreparedArtifact> {
  try {
    return await prepareFiles(job, artifact)
  } catch (error) {
    const isOfFiles = [NotAFileError, TooManyBytesError, TooManyFilesError].some(
      (type) => error instanceof type,
    )
    if (isOfFiles) return refused(job, messageOf(error))
    throw error
  }
}

async function prepareFiles(job: UploadNeeds, artifact: JobArtifact): Promise<PreparedArtifact> {
  const { log, variables, workspace } = job
  const signal = job.control.files
  log.plain('Uploading artifacts...')
  const plan = planUpload(artifact, variables.values)
  if (!plan)
    return refused(job, `this runner does not support the artifact format "${artifact.artifact_format}"`)
  const files = await selectFiles(job, artifact)
  if (isNothing(plan.format, files)) {
    log.error('No files to upload')
    return { kind: 'nothing' }
  }
  if (plan.format === 'raw' && fileNames(files).length > 1) {
    return refused(job, 'the raw format allows only one file')
  }
  const content = await packFiles(job, plan, files)
  const limit = sizeLimit(job)
  return {
    kind: 'ready',
    plan,
    open: () => openContent({ workspace, format: plan.format, content, limit, signal }),
  }
}

function refused({ log }: UploadNeeds, problem: string): PreparedArtifact {
  log.error(`Uploading artifacts failed: ${problem}`)
  return { kind: 'failed', problem: `uploading artifacts failed: ${problem}` }
}

async function packFiles(job: UploadNeeds, plan: UploadPlan, files: SelectedFiles): Promise<ArtifactFiles> {
  const warn = (text: string) => job.log.warning(text)
  const { values } = job.variables
  const level = choiceSetting(values, 'ARTIFACT_COMPRESSION_LEVEL', LEVELS, 'default', warn)
  const wantsStatement = booleanSetting(values, 'RUNNER_GENERATE_ARTIFACTS_METADATA', false, warn)
  if (!wantsStatement || plan.format !== 'zip') return { files, level, added: [] }
  const statement = await statementFile(job, plan, files, job.control.files)
  const names = files.names.filter((name) => name !== statement.name)
  return { files: { ...files, names }, level, added: [statement] }
}

/** What is needed to upload the artifacts of a running job. */
export function sendDepsOf(job: UploadNeeds): SendDeps {
  const { client, log, timings, control, registration } = job
  const limit = sizeLimit(job)
  const isResumable = job.payload.features?.resumable_uploads === true
  const common = { client, job: job.job, log, timings, timeouts: registration.artifact }
  return { ...common, limit, isResumable, signal: control.files }
}

function sizeLimit({ payload }: UploadNeeds): number | undefined {
  return payload.features?.max_artifacts_size || undefined
}

async function selectFiles(job: UploadNeeds, artifact: JobArtifact): Promise<SelectedFiles> {
  const { workspace, variables } = job
  const expand = (pattern: string) => expandText(pattern, variables.values)
  const selection = {
    paths: (artifact.paths ?? []).map(expand),
    exclude: (artifact.exclude ?? []).map(expand),
    untracked: artifact.untracked ?? false,
  }
  const files = await workspace.selectFiles(selection, job.control.files)
  logSelection(job, files, 'uploaded')
  return files
}

type Needs = Pick<JobContext, 'payload' | 'client' | 'variables' | 'log' | 'timings' | 'temporaryDir'> &
  OwnWorkspace &
  StageSignals

/** Number of attempts for one download (runner protocol, 5.2). */
const ATTEMPTS = 3
const MAX_STAGE_RETRY_DELAY = 5 * MINUTE

/** Downloads the artifacts of the jobs that this job depends on. */
export async function downloadArtifacts(job: Needs): Promise<JobOutcome> {
  const dependencies = (job.payload.dependencies ?? []).filter(({ artifacts_file }) => artifacts_file)
  if (dependencies.length === 0) return SUCCESS
  const warn = (text: string) => job.log.warning(text)
  return inStage(job.log, STAGES.downloadArtifacts, async () => {
    const attempts = attemptsSetting(job.variables.values, 'ARTIFACT_DOWNLOAD_ATTEMPTS', warn)
    for (let attempt = 1; !(await downloadAll(job, dependencies)); attempt++) {
      if (attempt >= attempts) return failedScript(1)
      job.log.warning('Retrying...')
      await pause(
        Math.min(job.timings.stageRetry * 2 ** (attempt - 1), MAX_STAGE_RETRY_DELAY),
        job.control.work,
      )
      job.control.work.throwIfAborted()
    }
    return SUCCESS
  })
}

async function downloadAll(job: Needs, dependencies: JobDependency[]): Promise<boolean> {
  for (const dependency of dependencies) {
    job.log.plain(`Downloading artifacts for ${dependency.name} (${dependency.id})...`)
    const file = join(job.temporaryDir, `artifacts-${randomBytes(9).toString('hex')}.zip`)
    try {
      if (!(await download(job, dependency, file)) || !(await unpack(job, file))) return false
    } finally {
      await rm(file, { force: true })
    }
  }
  return true
}

async function download(job: Needs, dependency: JobDependency, file: string): Promise<boolean> {
  const { log, control, timings } = job
  const what = 'Downloading artifacts from coordinator...'
  const tries = new Tries(timings.silenceTimeout)
  for (let attempt = 1; ; attempt++) {
    const result = await downloadOnce(job, dependency, file, attempt === 1)
    control.work.throwIfAborted()
    const details = `id=${dependency.id} responseStatus=${responseStatus(result.status)} token=${shortToken(dependency.token)}`
    if (result.isComplete) {
      log.plain(`${what} ok`.padEnd(50) + `  ${details}`)
      return true
    }
    log.warning(`${what} ${result.text}`.padEnd(50) + `  ${details}`)
    if (result.isFinal || !tries.mayTryAgain(!isUnavailable(result.status), ATTEMPTS)) {
      log.error(`Downloading the artifacts of ${dependency.name} failed: ${result.text}`)
      return false
    }
    log.warning('Retrying...')
    await pause(timings.downloadRetry, control.work)
  }
}

async function downloadOnce(job: Needs, dependency: JobDependency, file: string, mayRedirect: boolean) {
  const signal = job.control.work
  try {
    const { status, body } = await job.client.downloadArtifacts(dependency, { mayRedirect, signal })
    const text = responseStatus(status)
    if (status !== 200) {
      body.resume()
      return { isComplete: false, isFinal: isFinalDownloadStatus(status), status, text }
    }
    await pipeline(body, createWriteStream(file, { mode: 0o600 }), { signal })
    return { isComplete: true, isFinal: true, status, text }
  } catch (error) {
    return { isComplete: false, isFinal: false, status: undefined, text: messageOf(error) }
  }
}

/** A corrupt or hostile archive fails the job. The runner is not to blame for it. */
async function unpack(job: Needs, file: string): Promise<boolean> {
  try {
    const format = await archiveFormat(file)
    if (format !== 'zip') {
      job.log.error(`The archive has the format ${format}, which this runner does not support`)
      return false
    }
    const { refused } = await job.workspace.extractZip(file, job.control.work)
    for (const name of refused)
      job.log.warning(`${name}: is not a file, a directory or a link, and is skipped`)
    return true
  } catch (error) {
    job.control.work.throwIfAborted()
    job.log.error(`The archive cannot be unpacked: ${messageOf(error)}`)
    return false
  }
}
