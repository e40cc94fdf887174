import { uploadOrKeep } from './deliver-kept.js'
import type { JobContext } from './job-context.js'
import { catchOutcome, type JobOutcome, outcomeOf, SUCCESS } from './outcome.js'
import { downloadArtifacts } from './stages/download-artifacts.js'
import { getSources } from './stages/get-sources.js'
import { restoreCaches } from './stages/restore-caches.js'
import { runAfterScript, runSteps } from './stages/run-scripts.js'
import { saveCaches } from './stages/save-caches.js'
import { uploadArtifacts } from './stages/upload-artifacts.js'

/**
 * Runs all stages from the sources to the artifacts (runner protocol, 7.1):
 *
 *     sources ─▶ caches ─▶ dependencies ─▶ script ─▶ after-script ─▶ caches ─▶ artifacts
 *        └──────────┴──────────┴─ failed or canceled ──────────────────▲
 *
 * When the whole job is stopped (aborted, timed out, runner interrupted), no further stage starts.
 */
export async function performStages(job: JobContext): Promise<JobOutcome> {
  const files = await prepareFiles(job)
  const scripts = files.kind === 'success' ? await unlessStopped(job, () => runSteps(job)) : files
  const wasScriptReached = files.kind === 'success' && scripts.kind !== 'system-failure'
  const after = wasScriptReached
    ? await stage(job, 'after_script', () => runAfterScript(job, scripts))
    : SUCCESS
  const isSuccess = scripts.kind === 'success' && after.kind === 'success'
  const saved = await stage(job, 'save_caches', () => saveCaches(job, isSuccess))
  const uploads = await stage(job, 'upload_artifacts', () =>
    uploadArtifacts(job, isSuccess, (_, artifact) => uploadOrKeep(job, artifact)),
  )
  if (job.control.whole.aborted) return outcomeOf(job.control.whole.reason)
  return [scripts, after, saved, uploads].find((outcome) => outcome.kind !== 'success') ?? SUCCESS
}

async function prepareFiles(job: JobContext): Promise<JobOutcome> {
  const sources = await stage(job, 'get_sources', async () => {
    await getSources(job)
    return SUCCESS
  })
  if (sources.kind !== 'success') return sources
  const restored = await stage(job, 'restore_caches', () => restoreCaches(job))
  if (restored.kind !== 'success') return restored
  return stage(job, 'download_artifacts', () => downloadArtifacts(job))
}

/** Runs a stage as a step of the job. An error becomes its outcome. */
function stage(job: JobContext, name: string, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  return unlessStopped(job, () =>
    job.steps.once(
      name,
      () => catchOutcome(work),
      () => job.environment,
    ),
  )
}

async function unlessStopped(job: JobContext, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  return job.control.whole.aborted ? outcomeOf(job.control.whole.reason) : catchOutcome(work)
}
