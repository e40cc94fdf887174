import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { deployAtTheEnd, followAtTheEnd } from '../deployments/follow-jobs.js'
import { gatesOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJobs } from '../job-status-store.js'
import { findJobs } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { markPending } from '../jobs/mark-pending.js'
import { findDependents } from './dependent-store.js'
import { type LoadedJob, loadGraph } from './graph-store.js'
import { findJobStates } from './job-state-store.js'
import { isWaitingForNeeds, progressOfStates, type SavedProgress } from './progress-of-states.js'
import { readyDependents } from './ready-dependents.js'
import { assignResourcesBeforeCommit } from './resource-groups/assign-resource-groups.js'
import { savePipeline, saveProgress } from './save-statuses.js'
import type { SavedStatuses, StatesAndStatuses } from './saved-statuses.js'
import { scheduleJobs } from './schedule-jobs.js'
import { nextTransitions, type Transition } from './transitions.js'

/**
 * Applies all consequences of the current job statuses of a pipeline (CI language, 11.3). Every event that
 * changes a job status calls this last. `tx` must hold the pipeline lock (`lockPipeline`).
 */
export async function advancePipeline(deps: EngineDeps, tx: Transaction, pipelineId: number): Promise<void> {
  let graph = await loadGatedGraph(deps, tx, pipelineId)
  let progress = nextTransitions(graph)
  while (await applyTransitions(deps, tx, progress.transitions, graph)) {
    graph = await loadGatedGraph(deps, tx, pipelineId)
    progress = nextTransitions(graph)
  }
  await saveProgress(deps, tx, pipelineId, progress)
  if (graph.some(({ deploys }) => deploys)) followAtTheEnd(tx, pipelineId)
  assignResourcesBeforeCommit(
    deps,
    tx,
    graph.flatMap(({ resourceGroupId }) => resourceGroupId ?? []),
  )
}

/**
 * The shortcut of `advancePipeline` after jobs have succeeded; `current` was read since. It reads the graph only if another
 * job may become ready, so that its cost does not grow with the number of jobs. `tx` must hold the pipeline lock.
 */
export async function advanceAfterSuccess(
  deps: EngineDeps,
  tx: Transaction,
  pipelineId: number,
  { jobs, current }: { jobs: readonly JobRow[]; current: StatesAndStatuses },
): Promise<void> {
  const concernOthers = jobs.some(
    (job) => job.environment_action === 'start' || job.resource_group_id !== null,
  )
  const next = concernOthers ? undefined : await progressWithoutGraph(deps, tx, { pipelineId, jobs, current })
  if (next) await saveProgress(deps, tx, pipelineId, next.progress, next.saved)
  else await advancePipeline(deps, tx, pipelineId)
}

/** The progress, with the statuses that are saved so far. */
interface NextProgress {
  progress: SavedProgress
  saved: SavedStatuses
}

/** Makes the jobs pending that waited only for these. Undefined if the graph must decide. */
async function progressWithoutGraph(
  deps: EngineDeps,
  tx: Transaction,
  {
    pipelineId,
    jobs,
    current: { states, saved },
  }: { pipelineId: number; jobs: readonly JobRow[]; current: StatesAndStatuses },
): Promise<NextProgress | undefined> {
  const progress = progressOfStates(states)
  if (!progress) return undefined
  if (!states.some(isWaitingForNeeds)) return { progress, saved }
  const names = jobs.map(({ name }) => name)
  const dependents = await findDependents(tx, { pipelineId, names })
  const ready = dependents && readyDependents(dependents)
  if (!ready) return undefined
  if (ready.length === 0) return { progress, saved }
  await markPending(deps, tx, ready, 'created')
  const changed = progressOfStates(await findJobStates(tx, [pipelineId]))
  return changed && { progress: changed, saved }
}

/** The graph, including the gates of created jobs whose environments may be protected. */
async function loadGatedGraph(deps: EngineDeps, tx: Transaction, pipelineId: number): Promise<LoadedJob[]> {
  const graph = await loadGraph(tx, pipelineId)
  const asking = graph.filter(({ status, hasEnvironment }) => status === 'created' && hasEnvironment)
  const [first] = asking
  if (!first) return graph
  const gates = await gatesOf(deps, tx, { projectId: first.projectId, jobIds: asking.map(({ id }) => id) })
  return gates.size === 0 ? graph : graph.map((job) => ({ ...job, gate: gates.get(job.id) ?? 'open' }))
}

/**
 * The shortcut of `advancePipeline` for pipelines with pending jobs that start: they and the stages of the jobs are running
 * (CI language, 11.1, rule 8), and no other job becomes ready. Dispatch need not read the whole pipeline. Trigger jobs do
 * not affect whether a pipeline is pending or running. Returns the pipelines by ID.
 */
export async function recordJobsStarted(
  tx: Transaction,
  pipelines: readonly PipelineRow[],
): Promise<Map<number, PipelineRow>> {
  const saved = new Map<number, PipelineRow>()
  for (const pipeline of pipelines)
    saved.set(pipeline.id, (await savePipeline(tx, pipeline, 'running')).pipeline)
  return saved
}

/**
 * Returns whether another pass is needed: a failed job may have been retried, or may have canceled the
 * others.
 */
async function applyTransitions(
  deps: EngineDeps,
  tx: Transaction,
  transitions: Transition[],
  graph: LoadedJob[],
): Promise<boolean> {
  const deploying = new Set(graph.filter(({ deploys }) => deploys).map(({ id }) => id))
  deployAtTheEnd(
    tx,
    transitions.map(({ jobId }) => jobId).filter((id) => deploying.has(id)),
  )
  for (const { ids, from, to } of grouped(transitions)) {
    if (to === 'pending') await markPending(deps, tx, ids, from)
    else if (to === 'failed') await failJobs(deps, tx, ids, graph)
    else if (to === 'scheduled') await scheduleJobs(deps, tx, ids, from)
    else if ((await moveJobs(tx, ids, from, { status: to })) !== ids.length) {
      throw new UnexpectedStatusError(ids, from)
    }
  }
  return transitions.some(({ to }) => to === 'failed')
}

async function failJobs(deps: EngineDeps, tx: Transaction, ids: number[], graph: LoadedJob[]): Promise<void> {
  const forbidden = new Set(graph.filter(({ gate }) => gate === 'forbidden').map(({ id }) => id))
  for (const job of await findJobs(tx, ids)) {
    const failure_reason = forbidden.has(job.id)
      ? 'protected_environment_failure'
      : 'failed_outdated_deployment_job'
    await endJob(deps, tx, job, { status: 'failed', failure_reason })
  }
}

function grouped(transitions: Transition[]) {
  const groups = new Map<string, Omit<Transition, 'jobId'> & { ids: number[] }>()
  for (const { jobId, from, to } of transitions) {
    const key = `${from} ${to}`
    const group = groups.get(key)
    if (group) group.ids.push(jobId)
    else groups.set(key, { from, to, ids: [jobId] })
  }
  return groups.values()
}
