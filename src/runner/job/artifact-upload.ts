import { STATUS_CODES } from 'node:http'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'

import { messageOf } from '../../lib/errors.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { JobArtifact } from '../../protocol/job-payload.js'
import { isFinalUploadStatus } from '../retryable.js'
import { shortToken } from '../short-token.js'
import type { CompressionLevel, SelectedFiles } from '../workspace/workspace.js'
import { expandText } from './expand.js'
import type { JobContext } from './job-context.js'
import { fileForm } from './multipart-form.js'
import { failedScript, type JobOutcome, SUCCESS } from './outcome.js'
import { choiceSetting } from './settings-of-job.js'
import { inStage, STAGES } from './stages.js'
import { Tries } from './tries.js'

type Needs = Pick<
  JobContext,
  'payload' | 'client' | 'job' | 'workspace' | 'variables' | 'log' | 'control' | 'timings'
>

/** Tries of one upload; a storage that is away for a moment gets more (runner protocol, 5.1). */
const ATTEMPTS = 3
const ATTEMPTS_UNAVAILABLE = 6
const MAX_RETRY_DELAY = 5_000

const LEVELS = ['fastest', 'fast', 'default', 'slow', 'slowest'] as const

/** Sends every artifact that fits the job's result. All are tried; one that fails makes the job fail. */
export async function uploadArtifacts(job: Needs, isSuccess: boolean): Promise<JobOutcome> {
  const artifacts = (job.payload.artifacts ?? []).filter((artifact) => isWanted(artifact, isSuccess))
  if (artifacts.length === 0) return SUCCESS
  return inStage(job.log, isSuccess ? STAGES.uploadOnSuccess : STAGES.uploadOnFailure, async () => {
    let outcome: JobOutcome = SUCCESS
    for (const artifact of artifacts) {
      if (!(await uploadArtifact(job, artifact))) outcome = failedScript(1)
    }
    return outcome
  })
}

function isWanted(artifact: JobArtifact, isSuccess: boolean): boolean {
  const isEmpty = !artifact.untracked && !artifact.paths?.length
  if (isEmpty) return false
  const when = artifact.when ?? 'on_success'
  return when === 'always' || (when === 'on_success') === isSuccess
}

/** Whether nothing went wrong: an artifact without files is no failure (runner protocol, 5.1). */
async function uploadArtifact(job: Needs, artifact: JobArtifact): Promise<boolean> {
  const { log } = job
  log.plain('Uploading artifacts...')
  if ((artifact.artifact_format || 'zip') !== 'zip') {
    log.error(`Artifacts of the format "${artifact.artifact_format}" cannot be sent by this runner`)
    return false
  }
  const files = await selectFiles(job, artifact)
  if (files.names.length === 0) {
    log.error('No files to upload')
    return true
  }
  return sendWithRetries(job, artifact, files)
}

async function selectFiles(job: Needs, artifact: JobArtifact): Promise<SelectedFiles> {
  const { workspace, log, variables } = job
  const expand = (pattern: string) => expandText(pattern, variables.values)
  const files = await workspace.selectFiles({
    paths: (artifact.paths ?? []).map(expand),
    exclude: (artifact.exclude ?? []).map(expand),
    untracked: artifact.untracked ?? false,
  })
  for (const pattern of files.refused) {
    log.warning(`${pattern}: is outside the project directory and not uploaded`)
  }
  for (const name of files.skipped) {
    log.warning(`${name}: cannot be part of an archive and is not uploaded`)
  }
  for (const { pattern, count } of files.matches) {
    if (count > 0) log.plain(`${pattern}: found ${count} matching artifact files and directories`)
    else {
      log.warning(
        `${pattern}: no matching files. Ensure that the artifact path is relative to the working directory (${workspace.projectDir})`,
      )
    }
  }
  return files
}

async function sendWithRetries(job: Needs, artifact: JobArtifact, files: SelectedFiles): Promise<boolean> {
  const { log, control, timings } = job
  const what = `Uploading artifacts as "${artifact.artifact_type || 'archive'}" to coordinator...`
  const tries = new Tries(timings.patience)
  for (let attempt = 1; ; attempt++) {
    const result = await sendOnce(job, artifact, files)
    control.whole.throwIfAborted()
    const details = `id=${job.job.id} responseStatus=${result.text} token=${shortToken(job.job.token)}`
    if (result.isStored) {
      log.plain(`${what} ${result.text}`.padEnd(50) + `  ${details}`)
      return true
    }
    log.warning(`${what} ${result.text}`.padEnd(50) + `  ${details}`)
    const attempts = result.status === 503 ? ATTEMPTS_UNAVAILABLE : ATTEMPTS
    if (result.isFinal || !tries.mayTryAgain(result.status !== undefined, attempts)) {
      log.error(`Uploading artifacts failed: ${result.text}`)
      return false
    }
    log.warning('Retrying...')
    await pause(
      withJitter(Math.min(timings.uploadRetry * 2 ** (attempt - 1), MAX_RETRY_DELAY)),
      control.whole,
    )
  }
}

interface SendResult {
  isStored: boolean
  /** No other try would end differently. */
  isFinal: boolean
  status: number | undefined
  text: string
}

/** One try: the archive is made anew from the files. */
async function sendOnce(job: Needs, artifact: JobArtifact, files: SelectedFiles): Promise<SendResult> {
  const { workspace, client, control } = job
  const archive = workspace.zip(files, compressionLevel(job))
  const archiveError = firstError(archive)
  const form = fileForm(archiveName(job, artifact), archive)
  const query = {
    expireIn: artifact.expire_in ?? undefined,
    format: artifact.artifact_format ?? undefined,
    type: artifact.artifact_type,
  }
  try {
    const { status, message } = await client.uploadArtifact(job.job, query, form, control.whole)
    const isStored = status === 201
    const said = message === `status ${status}` || isStored ? '' : ` (${message})`
    return { isStored, isFinal: isFinalUploadStatus(status), status, text: `${statusText(status)}${said}` }
  } catch (error) {
    const cause = archiveError() ?? error
    return { isStored: false, isFinal: cause !== error, status: undefined, text: messageOf(cause) }
  } finally {
    archive.destroy()
  }
}

/** What broke the archive itself, told apart from what broke the connection. */
function firstError(stream: Readable): () => unknown {
  let first: unknown
  stream.on('error', (error) => (first ??= error))
  return () => first
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}

/** The last element of the name, variables expanded (runner protocol, 5.1). */
function archiveName(job: Needs, artifact: JobArtifact): string {
  const name = expandText(artifact.name || 'artifacts', job.variables.values)
  const base = posix.basename(name)
  return `${base === '' || base === '.' || base === '..' ? 'default' : base}.zip`
}

function compressionLevel(job: Needs): CompressionLevel {
  const warn = (text: string) => job.log.warning(text)
  return choiceSetting(job.variables.values, 'ARTIFACT_COMPRESSION_LEVEL', LEVELS, 'default', warn)
}
