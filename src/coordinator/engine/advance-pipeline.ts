import type { Updateable } from 'kysely'

import type { Transaction } from '../database/transaction.js'
import { coveredTime } from './covered-time.js'
import type { EngineDeps } from './engine-deps.js'
import { UnexpectedStatusError } from './errors.js'
import { findStageStatuses, loadGraph, saveStageStatus } from './graph-store.js'
import { isFinished } from './job-status.js'
import { moveJobs } from './job-store.js'
import { makePending } from './make-pending.js'
import { findPipeline, findRunIntervals, movePipeline } from './pipeline-store.js'
import type { JobRow } from './rows.js'
import { scheduleJobs } from './schedule-jobs.js'
import type { CompositeStatus, PipelineTable } from './tables.js'
import { nextTransitions, type Transition } from './transitions.js'

/**
 * Makes everything happen that follows from the statuses of a pipeline's jobs (CI language, 11.3). The last step of
 * every event that changed one; `tx` holds the pipeline (`lockPipeline`).
 */
export async function advancePipeline(
  deps: Pick<EngineDeps, 'queue' | 'onScheduled'>,
  tx: Transaction,
  pipelineId: number,
): Promise<void> {
  const { transitions, stages, pipeline } = nextTransitions(await loadGraph(tx, pipelineId))
  await applyTransitions(deps, tx, transitions)
  await saveStages(tx, pipelineId, stages)
  if (pipeline) await savePipeline(tx, pipelineId, pipeline)
}

/**
 * What `advancePipeline` comes to when a pending job starts: stage and pipeline run (CI language, 11.1, rule 8), and no
 * other job's turn comes. Spares a hand-out the reading of the whole pipeline.
 */
export async function noteJobStarted(tx: Transaction, job: JobRow): Promise<void> {
  await saveStageStatus(tx, job.stage_id, 'running')
  await savePipeline(tx, job.pipeline_id, 'running')
}

async function applyTransitions(
  deps: Pick<EngineDeps, 'queue' | 'onScheduled'>,
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

async function saveStages(
  tx: Transaction,
  pipelineId: number,
  statuses: ReadonlyMap<number, CompositeStatus>,
): Promise<void> {
  for (const stage of await findStageStatuses(tx, pipelineId)) {
    const status = statuses.get(stage.id)
    if (status && status !== stage.status) await saveStageStatus(tx, stage.id, status)
  }
}

async function savePipeline(tx: Transaction, pipelineId: number, status: CompositeStatus): Promise<void> {
  const pipeline = await findPipeline(tx, pipelineId)
  if (status === pipeline.status || status === 'created') return
  const now = Date.now()
  const changes: Updateable<PipelineTable> = { status, updated_at: now, finished_at: null }
  if (status === 'running') changes.started_at = pipeline.started_at ?? now
  if (isFinished(status)) {
    changes.finished_at = now
    changes.duration = Math.round(coveredTime(await findRunIntervals(tx, pipelineId)) / 1000)
  }
  await movePipeline(tx, pipelineId, pipeline.status, changes)
}
