import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { deployAtTheEnd, followAtTheEnd } from '../deployments/follow-jobs.js'
import { gatesOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { findJobs, moveJobs } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { makePending } from '../jobs/make-pending.js'
import { type LoadedJob, loadGraph, saveStageStatus } from './graph-store.js'
import { settleAtTheEnd } from './resource-groups/settle-resource-groups.js'
import { savePipeline, saveProgress } from './save-statuses.js'
import { scheduleJobs } from './schedule-jobs.js'
import { nextTransitions, type Transition } from './transitions.js'

/**
 * Makes everything happen that follows from the statuses of a pipeline's jobs (CI language, 11.3). The last step of
 * every event that changed one; `tx` holds the pipeline (`lockPipeline`).
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
  settleAtTheEnd(
    deps,
    tx,
    graph.flatMap(({ resourceGroupId }) => resourceGroupId ?? []),
  )
}

/** The graph with what keeps those of its jobs from their environments whose turn may come. */
async function loadGatedGraph(deps: EngineDeps, tx: Transaction, pipelineId: number): Promise<LoadedJob[]> {
  const graph = await loadGraph(tx, pipelineId)
  const asking = graph.filter(({ status, hasEnvironment }) => status === 'created' && hasEnvironment)
  const [first] = asking
  if (!first) return graph
  const gates = await gatesOf(deps, tx, { projectId: first.projectId, jobIds: asking.map(({ id }) => id) })
  return gates.size === 0 ? graph : graph.map((job) => ({ ...job, gate: gates.get(job.id) ?? 'open' }))
}

/**
 * What `advancePipeline` comes to when a pending job starts: stage and pipeline run (CI language, 11.1, rule 8), and no
 * other job's turn comes. Spares a hand-out the reading of the whole pipeline. Trigger jobs make no difference between
 * pending and running pipelines.
 */
export async function recordJobStarted(tx: Transaction, job: JobRow): Promise<void> {
  await saveStageStatus(tx, job.stage_id, 'running')
  await savePipeline(tx, job.pipeline_id, 'running')
}

/** Whether there is more to decide: a job that failed may have brought another attempt, or the end of the others. */
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
    if (to === 'pending') await makePending(deps, tx, ids, from)
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
