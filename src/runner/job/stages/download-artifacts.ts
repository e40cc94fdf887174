import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { archiveFormat } from '../../../archive/archive-format.js'
import { messageOf } from '../../../lib/errors.js'
import { pause } from '../../../lib/pause.js'
import type { JobDependency } from '../../../protocol/job-payload.js'
import { Tries } from '../../artifacts/send-artifact.js'
import { isFinalDownloadStatus } from '../../client/retryable.js'
import { shortToken } from '../../client/short-token.js'
import { attemptsSetting } from '../../variables/variable-settings.js'
import type { JobContext } from '../job-context.js'
import { failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import { inStage, STAGES } from './stage.js'

type Needs = Pick<
  JobContext,
  'payload' | 'client' | 'workspace' | 'variables' | 'log' | 'control' | 'timings' | 'temporaryDir'
>

/** Number of attempts for one download (runner protocol, 5.2). */
const ATTEMPTS = 3
const MAX_STAGE_RETRY_DELAY = 5 * 60_000

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
    const details = `id=${dependency.id} responseStatus=${result.text} token=${shortToken(dependency.token)}`
    if (result.isComplete) {
      log.plain(`${what} ok`.padEnd(50) + `  ${details}`)
      return true
    }
    log.warning(`${what} failed`.padEnd(50) + `  ${details}`)
    if (result.isFinal || !tries.mayTryAgain(result.wasAnswered, ATTEMPTS)) {
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
    const text = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
    if (status !== 200) {
      body.resume()
      return { isComplete: false, isFinal: isFinalDownloadStatus(status), wasAnswered: true, text }
    }
    await pipeline(body, createWriteStream(file, { mode: 0o600 }), { signal })
    return { isComplete: true, isFinal: true, wasAnswered: true, text }
  } catch (error) {
    return { isComplete: false, isFinal: false, wasAnswered: false, text: messageOf(error) }
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
    for (const name of refused) job.log.warning(`${name}: leads out of the project directory and is skipped`)
    return true
  } catch (error) {
    job.control.work.throwIfAborted()
    job.log.error(`The archive cannot be unpacked: ${messageOf(error)}`)
    return false
  }
}
