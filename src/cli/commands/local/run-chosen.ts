import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Plan } from '../../../ci-config/plan.js'
import type { JobEnd } from '../../../coordinator/ci/engine/jobs/job-end.js'
import { formatDuration } from '../../../lib/duration.js'
import { messageOf } from '../../../lib/errors.js'
import { newToken } from '../../../lib/tokens.js'
import { publishRef } from '../../working-directory/snapshot.js'
import type { WorkingDirectory } from '../../working-directory/working-directory.js'
import { type ChildTrigger, compileChild } from './child-plan.js'
import { chooseJobs, type ChosenJob } from './choose-jobs.js'
import { findDependencies } from './find-dependencies.js'
import { jobPayload, type RunFacts, variablesOfJob } from './job-payload.js'
import { leftOut } from './left-out.js'
import { LocalArtifacts } from './local-artifacts.js'
import { LocalClient } from './local-client.js'
import type { LocalDisplay } from './local-display.js'
import { countUp, type LocalEnd, type LocalJob, LocalPipeline } from './local-pipeline.js'
import type { LocalRunner } from './local-runner.js'
import { LogTail } from './log-tail.js'
import { runPipeline } from './run-pipeline.js'
import { Slots } from './slots.js'
import type { StopRequests } from './stop-requests.js'
import { bridgeEnd } from './trigger-end.js'

export interface ChosenRun {
  facts: RunFacts
  plan: Plan
  chosen: readonly ChosenJob[]
  /** With the commit of the snapshot. */
  directory: WorkingDirectory
  runner: Pick<LocalRunner, 'perform'>
  display: LocalDisplay
  stops: StopRequests
  /** Folder of the run, which contains the artifacts. */
  folder: string
  /** Directory in which the user wants the artifacts. */
  keepArtifacts: string | undefined
  /** Maximum number of concurrent jobs. */
  concurrency: number
}

/** One pipeline of a run. */
export interface RanPipeline {
  pipeline: LocalPipeline
  /** Title in the summary. */
  title: string
  display: LocalDisplay
  /** Duration in seconds. */
  seconds: number
}

/** The objects that all pipelines of one run share. */
interface SharedParts extends Pick<ChosenRun, 'directory' | 'runner' | 'stops'> {
  artifacts: LocalArtifacts
  slots: Slots
  nextJobId: () => number
  nextPipelineId: () => number
  /** In starting order, by ID. */
  pipelines: Map<number, RanPipeline>
  /** Running child pipelines, whether or not a job waits for them. */
  children: Set<Promise<unknown>>
}

/** A pipeline and its position in the run. */
interface PipelinePart extends Pick<ChosenRun, 'facts' | 'plan' | 'chosen' | 'display'> {
  title: string
  /** Number of ancestor pipelines. */
  depth: number
}

/** CI language, 18. */
const MAX_DEPTH = 2

/**
 * Runs the jobs and the child pipelines that they start, and shows their progress. When no job can run any more,
 * returns the pipelines, the first one first.
 */
export async function runChosen(run: ChosenRun): Promise<RanPipeline[]> {
  const shared: SharedParts = {
    directory: run.directory,
    runner: run.runner,
    stops: run.stops,
    artifacts: await openArtifacts(run),
    slots: new Slots(run.concurrency),
    nextJobId: countUp(),
    nextPipelineId: countUp(run.facts.pipelineId),
    pipelines: new Map(),
    children: new Set(),
  }
  const { facts, plan, chosen, display } = run
  await runOne(shared, { facts, plan, chosen, display, title: 'Pipeline', depth: 0 })
  while (shared.children.size > 0) await Promise.all(shared.children)
  return [...shared.pipelines.values()]
}

async function openArtifacts({ folder, keepArtifacts }: ChosenRun): Promise<LocalArtifacts> {
  const artifacts = join(folder, 'artifacts')
  await mkdir(artifacts)
  return new LocalArtifacts(artifacts, keepArtifacts)
}

interface RunUnderWay extends SharedParts, PipelinePart {
  pipeline: LocalPipeline
}

async function runOne(
  shared: SharedParts,
  part: PipelinePart,
  canceled?: AbortSignal,
): Promise<LocalPipeline> {
  const { plan, chosen, display, title, facts } = part
  const { stops, slots } = shared
  const startedAt = Date.now()
  const cancels = new Map<number, AbortController>()
  const pipeline = new LocalPipeline(
    chosen,
    plan.autoCancel.onJobFailure,
    {
      delaySkipped: (job) =>
        display.about(
          job,
          `delayed by ${formatDuration(job.planned.startIn ?? 0)} in a pipeline; starts at once here`,
        ),
      retried: (job) => display.about(job, 'is retried'),
      ended: (job) => display.ended(job),
      canceling: (job) => cancels.get(job.id)?.abort(),
    },
    shared.nextJobId,
  )
  const ran: RanPipeline = { pipeline, title, display, seconds: 0 }
  shared.pipelines.set(facts.pipelineId, ran)
  const cancelAll = () => pipeline.cancel()
  const cancel = canceled ? AbortSignal.any([stops.cancel, canceled]) : stops.cancel
  cancel.addEventListener('abort', cancelAll, { once: true })
  if (cancel.aborted) cancelAll()
  try {
    await runPipeline(pipeline, slots, async (job) => {
      const cancel = new AbortController()
      cancels.set(job.id, cancel)
      return executeJob({ ...shared, ...part, pipeline }, job, cancel.signal)
    })
    return pipeline
  } finally {
    ran.seconds = (Date.now() - startedAt) / 1000
    cancel.removeEventListener('abort', cancelAll)
  }
}

/** Never rejects: an error becomes the result of the job. */
async function executeJob(run: RunUnderWay, job: LocalJob, cancel: AbortSignal): Promise<LocalEnd> {
  const { display } = run
  display.about(job, job.earlierAttempts > 0 ? `started (attempt ${job.earlierAttempts + 1})` : 'started')
  try {
    const dependencies = findDependencies(run, job)
    if (typeof dependencies === 'string') {
      display.about(job, dependencies)
      return { status: 'failed', failure_reason: 'missing_dependency_failure' }
    }
    const { trigger } = job.planned
    if (trigger?.kind === 'child') return await startChild(run, job, { trigger, dependencies, cancel })
    return await runScripts(run, job, { dependencies, cancel })
  } catch (error) {
    display.about(job, messageOf(error))
    return BROKEN
  }
}

interface JobPart {
  dependencies: readonly LocalJob[]
  cancel: AbortSignal
}

async function runScripts(
  { facts, runner, display, stops, artifacts }: RunUnderWay,
  job: LocalJob,
  { dependencies, cancel }: JobPart,
): Promise<JobEnd> {
  const log = display.openLog(job)
  const tail = new LogTail()
  const showLog = (bytes: Buffer) => {
    tail.push(bytes)
    log.write(bytes)
  }
  try {
    const payload = await jobPayload(facts, job, newToken(), dependencies, artifacts)
    const { id, planned } = job
    const name = display.nameOf(planned.name)
    const client = new LocalClient({ job: { id, name }, artifacts, showLog, cancel })
    // No later process resumes the jobs of this one, so it also stops with them.
    await runner.perform(payload, client, { shutdown: stops.shutdown, exit: new AbortController().signal })
    const coverage = await tail.coverage(planned.options.coverage)
    if (coverage !== undefined) job.coverage = coverage
    return client.end ?? BROKEN
  } finally {
    log.end()
  }
}

const BROKEN: JobEnd = { status: 'failed', failure_reason: 'runner_system_failure' }

/** Runs the pipeline of a trigger job. With a strategy, the job waits for its end (CI language, 13.4). */
async function startChild(
  run: RunUnderWay,
  job: LocalJob,
  { trigger, dependencies, cancel }: JobPart & { trigger: ChildTrigger },
): Promise<LocalEnd> {
  const { facts, artifacts, directory, pipeline, display, depth } = run
  if (depth >= MAX_DEPTH) {
    display.about(job, `Child pipelines can be nested at most ${MAX_DEPTH} levels below the first pipeline`)
    return { status: 'failed', failure_reason: 'reached_max_descendant_pipelines_depth' }
  }
  const child = await compileChild({
    directory,
    parent: facts,
    job,
    trigger,
    variables: variablesOfJob(facts, job, dependencies, artifacts),
    readArtifact: async (name, path) => {
      const left = pipeline.jobs.find(({ planned }) => planned.name === name)
      return left && artifacts.readFile(left.id, path)
    },
  })
  if (child.kind === 'refused') {
    for (const error of child.errors) display.about(job, error)
    return { status: 'failed', failure_reason: 'downstream_pipeline_creation_failed' }
  }
  const work = runChild(run, job, child.plan, child.facts, cancel).then(
    ({ status }) => status,
    (error: unknown) => {
      display.about(job, messageOf(error))
      return 'failed' as const
    },
  )
  const listed: Promise<unknown> = work.then(() => run.children.delete(listed))
  run.children.add(listed)
  return trigger.strategy ? bridgeEnd(trigger.strategy, await work) : { status: 'success' }
}

async function runChild(
  run: RunUnderWay,
  job: LocalJob,
  plan: Plan,
  facts: Pick<RunFacts, 'event' | 'variables'>,
  cancel: AbortSignal,
): Promise<LocalPipeline> {
  const pipelineId = run.nextPipelineId()
  const chosen = chooseJobs(plan.jobs, [], { withNeeds: false })
  const names = chosen.map(({ planned }) => planned.name)
  const display = run.display.ofChild(job.planned.name, names)
  const title = `Child pipeline of ${run.display.nameOf(job.planned.name)}`
  display.heading(`${title}: ${chosen.length} ${chosen.length === 1 ? 'job' : 'jobs'}`)
  for (const warning of plan.warnings) display.printDimmed(`Warning: ${warning}`)
  for (const sentence of leftOut(plan.jobs)) display.printDimmed(`Left out: ${sentence}`)
  await publishRef(run.facts.snapshot, `refs/pipelines/${pipelineId}`)
  const childFacts = { ...run.facts, ...facts, pipelineId, name: plan.name, startedAt: Date.now() }
  return runOne(run, { facts: childFacts, plan, chosen, display, title, depth: run.depth + 1 }, cancel)
}
