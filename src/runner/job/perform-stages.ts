import { downloadArtifacts } from './artifact-download.js'
import { uploadArtifacts } from './artifact-upload.js'
import type { JobContext } from './job-context.js'
import { type JobOutcome, outcomeOf, SUCCESS } from './outcome.js'
import { restoreCaches } from './restore-cache.js'
import { runAfterScript, runSteps } from './run-scripts.js'
import { saveCaches } from './save-cache.js'
import { getSources } from './sources.js'

/**
 * From the sources to the artifacts (runner protocol, 7.1):
 *
 *     sources ─▶ caches ─▶ dependencies ─▶ script ─▶ after-script ─▶ caches ─▶ artifacts
 *        └──────────┴──────────┴─ failed or canceled ──────────────────▲
 *
 * When the whole job is stopped (aborted, out of time, runner interrupted) nothing further begins.
 */
export async function performStages(job: JobContext): Promise<JobOutcome> {
  const files = await settle(() => prepareFiles(job))
  const scripts = files.kind === 'success' ? await settle(() => runSteps(job)) : files
  const wasScriptReached = files.kind === 'success' && scripts.kind !== 'system-failure'
  const after = await unlessStopped(job, () =>
    wasScriptReached ? runAfterScript(job, scripts) : Promise.resolve(SUCCESS),
  )
  const isSuccess = scripts.kind === 'success' && after.kind === 'success'
  const saved = await unlessStopped(job, () => saveCaches(job, isSuccess))
  const uploads = await unlessStopped(job, () => uploadArtifacts(job, isSuccess))
  if (job.control.whole.aborted) return outcomeOf(job.control.whole.reason)
  return [scripts, after, saved, uploads].find((outcome) => outcome.kind !== 'success') ?? SUCCESS
}

async function prepareFiles(job: JobContext): Promise<JobOutcome> {
  await getSources(job)
  const restored = await restoreCaches(job)
  return restored.kind === 'success' ? downloadArtifacts(job) : restored
}

async function unlessStopped(job: JobContext, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  return job.control.whole.aborted ? outcomeOf(job.control.whole.reason) : settle(work)
}

/** What went wrong in one stage decides about the next ones, so it becomes a value here. */
async function settle(work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  try {
    return await work()
  } catch (error) {
    return outcomeOf(error)
  }
}
