import type { Transaction } from '../database/transaction.js'
import { tellBridges } from './downstream/tell-bridges.js'
import type { EngineDeps } from './engine-deps.js'
import { UnexpectedStatusError } from './errors.js'
import { loadGraph, saveStageStatus } from './graph-store.js'
import { moveJobs } from './job-store.js'
import { makePending } from './make-pending.js'
import { settleAtTheEnd } from './resource-groups/settle-resource-groups.js'
import type { JobRow } from './rows.js'
import { savePipeline, saveProgress } from './save-statuses.js'
import { scheduleJobs } from './schedule-jobs.js'
import { nextTransitions, type Transition } from './transitions.js'

type AdvanceDeps = Pick<EngineDeps, 'dialect' | 'queue' | 'onScheduled' | 'onResourceFreed' | 'onBridgeTasks'>

/**
 * Makes everything happen that follows from the statuses of a pipeline's jobs (CI language, 11.3). The last step of
 * every event that changed one; `tx` holds the pipeline (`lockPipeline`).
 */
export async function advancePipeline(deps: AdvanceDeps, tx: Transaction, pipelineId: number): Promise<void> {
  const graph = await loadGraph(tx, pipelineId)
  const progress = nextTransitions(graph)
  await applyTransitions(deps, tx, progress.transitions)
  const change = await saveProgress(tx, pipelineId, progress)
  if (change) await tellBridges(deps, tx, pipelineId, change)
  settleAtTheEnd(
    deps,
    tx,
    graph.flatMap(({ resourceGroupId }) => resourceGroupId ?? []),
  )
}

/**
 * What `advancePipeline` comes to when a pending job starts: stage and pipeline run (CI language, 11.1, rule 8), and no
 * other job's turn comes. Spares a hand-out the reading of the whole pipeline. Trigger jobs make no difference between
 * pending and running pipelines.
 */
export async function noteJobStarted(tx: Transaction, job: JobRow): Promise<void> {
  await saveStageStatus(tx, job.stage_id, 'running')
  await savePipeline(tx, job.pipeline_id, 'running')
}

async function applyTransitions(
  deps: AdvanceDeps,
  tx: Transaction,
  transitions: Transition[],
): Promise<void> {
  for (const { ids, from, to } of grouped(transitions)) {
    if (to === 'pending') await makePending(deps, tx, ids, from)
    else if (to === 'scheduled') await scheduleJobs(deps, tx, ids, from)
    else if ((await moveJobs(tx, ids, from, { status: to })) !== ids.length) {
      throw new UnexpectedStatusError(ids, from)
    }
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
