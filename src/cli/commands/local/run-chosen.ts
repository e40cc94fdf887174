import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Plan } from '../../../ci-config/plan.js'
import type { JobEnd } from '../../../coordinator/engine/finish/close-job.js'
import { messageOf } from '../../../lib/errors.js'
import { newToken } from '../../../lib/tokens.js'
import { formatDuration } from '../../../runner/duration.js'
import type { ChosenJob } from './choose-jobs.js'
import { jobPayload, type RunFacts } from './job-payload.js'
import { LocalArtifacts } from './local-artifacts.js'
import { LocalClient } from './local-client.js'
import type { LocalDisplay } from './local-display.js'
import { type LocalJob, LocalPipeline } from './local-pipeline.js'
import type { LocalRunner } from './local-runner.js'
import { runPipeline } from './run-pipeline.js'
import type { StopRequests } from './stop-requests.js'

export interface ChosenRun {
  facts: RunFacts
  plan: Plan
  chosen: readonly ChosenJob[]
  runner: LocalRunner
  display: LocalDisplay
  stops: StopRequests
  /** Of the run; what jobs leave for others is kept in it. */
  folder: string
  /** Where the user wants to have artifacts. */
  keepArtifacts: string | undefined
  /** Jobs at a time. */
  concurrency: number
}

/** Runs the jobs, shows what happens, and answers the pipeline as it is when none can run any more. */
export async function runChosen(run: ChosenRun): Promise<LocalPipeline> {
  const { plan, chosen, display, stops, concurrency } = run
  const artifacts = await openArtifacts(run)
  const cancels = new Map<number, AbortController>()
  const pipeline = new LocalPipeline(chosen, plan.autoCancel.onJobFailure, {
    delaySkipped: (job) =>
      display.about(
        job,
        `delayed by ${formatDuration(job.planned.startIn ?? 0)} in a pipeline; starts at once here`,
      ),
    retried: (job) => display.about(job, 'is tried again'),
    ended: (job) => display.ended(job),
    canceling: (job) => cancels.get(job.id)?.abort(),
  })
  const cancelAll = () => pipeline.cancel()
  stops.cancel.addEventListener('abort', cancelAll, { once: true })
  if (stops.cancel.aborted) cancelAll()
  try {
    await runPipeline(pipeline, concurrency, (job) => {
      const cancel = new AbortController()
      cancels.set(job.id, cancel)
      return performJob({ ...run, pipeline, artifacts }, job, cancel.signal)
    })
    return pipeline
  } finally {
    stops.cancel.removeEventListener('abort', cancelAll)
  }
}

async function openArtifacts({ folder, keepArtifacts }: ChosenRun): Promise<LocalArtifacts> {
  const shelf = join(folder, 'artifacts')
  await mkdir(shelf)
  return new LocalArtifacts(shelf, keepArtifacts)
}

interface RunUnderWay extends ChosenRun {
  pipeline: LocalPipeline
  artifacts: LocalArtifacts
}

/** Never rejects: what breaks is how the job ended. */
async function performJob(run: RunUnderWay, job: LocalJob, cancel: AbortSignal): Promise<JobEnd> {
  const { facts, runner, display, stops, pipeline, artifacts } = run
  display.about(job, job.earlierAttempts > 0 ? `started (attempt ${job.earlierAttempts + 1})` : 'started')
  const log = display.openLog(job)
  try {
    const dependencies = pipeline.dependenciesOf(job)
    const payload = await jobPayload(facts, job, newToken(), dependencies, artifacts)
    const { id, planned } = job
    const client = new LocalClient({ job: { id, name: planned.name }, artifacts, showLog: log.write, cancel })
    // No second process goes on with what this one leaves: it ends with its jobs.
    await runner.perform(payload, client, { shutdown: stops.shutdown, exit: new AbortController().signal })
    return client.end ?? BROKEN
  } catch (error) {
    display.about(job, messageOf(error))
    return BROKEN
  } finally {
    log.end()
  }
}

const BROKEN: JobEnd = { status: 'failed', failure_reason: 'runner_system_failure' }
