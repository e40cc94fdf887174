import type { JobArtifact } from '../../../protocol/job-payload.js'
import { type ArtifactFiles, fileNames, isNothing, openContent } from '../../artifacts/artifact-archive.js'
import { isWanted, planUpload, type UploadPlan } from '../../artifacts/artifact-plan.js'
import { statementFile } from '../../artifacts/artifact-statement.js'
import { sendArtifact, type SendResult } from '../../artifacts/send-artifact.js'
import type { OpenContent, SendDeps } from '../../artifacts/upload-attempt.js'
import { expandText } from '../../variables/job-variables.js'
import { booleanSetting, choiceSetting } from '../../variables/variable-settings.js'
import type { SelectedFiles } from '../../workspace/workspace.js'
import type { JobContext } from '../job-context.js'
import { type JobOutcome, SUCCESS } from '../outcome.js'
import { logSelection } from './log-selection.js'
import { inStage, STAGES } from './stage.js'

export type UploadNeeds = Pick<
  JobContext,
  'payload' | 'client' | 'job' | 'registration' | 'workspace' | 'variables' | 'log' | 'control' | 'timings'
>

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

/** Does everything except the upload, and logs which files were selected. */
export async function prepareArtifact(job: UploadNeeds, artifact: JobArtifact): Promise<PreparedArtifact> {
  const { log, variables, workspace } = job
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
  const content = await contentOf(job, plan, files)
  const limit = sizeLimit(job)
  return { kind: 'ready', plan, open: () => openContent(workspace, plan.format, content, limit) }
}

function refused({ log }: UploadNeeds, problem: string): PreparedArtifact {
  log.error(`Uploading artifacts failed: ${problem}`)
  return { kind: 'failed', problem: `uploading artifacts failed: ${problem}` }
}

async function contentOf(job: UploadNeeds, plan: UploadPlan, files: SelectedFiles): Promise<ArtifactFiles> {
  const warn = (text: string) => job.log.warning(text)
  const { values } = job.variables
  const level = choiceSetting(values, 'ARTIFACT_COMPRESSION_LEVEL', LEVELS, 'default', warn)
  const wantsStatement = booleanSetting(values, 'RUNNER_GENERATE_ARTIFACTS_METADATA', false, warn)
  if (!wantsStatement || plan.format !== 'zip') return { files, level, added: [] }
  const statement = await statementFile(job, plan, files)
  const names = files.names.filter((name) => name !== statement.name)
  return { files: { ...files, names }, level, added: [statement] }
}

/** What is needed to upload the artifacts of a running job. */
export function sendDepsOf(job: UploadNeeds): SendDeps {
  const { client, log, timings, control, registration } = job
  const limit = sizeLimit(job)
  const isResumable = job.payload.features?.resumable_uploads === true
  const common = { client, job: job.job, log, timings, timeouts: registration.artifact }
  return { ...common, limit, isResumable, signal: control.whole }
}

function sizeLimit({ payload }: UploadNeeds): number | undefined {
  return payload.features?.max_artifacts_size || undefined
}

async function selectFiles(job: UploadNeeds, artifact: JobArtifact): Promise<SelectedFiles> {
  const { workspace, variables } = job
  const expand = (pattern: string) => expandText(pattern, variables.values)
  const files = await workspace.selectFiles({
    paths: (artifact.paths ?? []).map(expand),
    exclude: (artifact.exclude ?? []).map(expand),
    untracked: artifact.untracked ?? false,
  })
  logSelection(job, files, 'uploaded')
  return files
}
