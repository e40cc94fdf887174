import type { Updateable } from 'kysely'

import type { Transaction } from '../database/transaction.js'
import { coveredTime } from './covered-time.js'
import { findStageStatuses, loadGraph, saveStageStatus } from './graph-store.js'
import { isFinished } from './job-status.js'
import { findPipeline, findRunIntervals, movePipeline } from './pipeline-store.js'
import type { CompositeStatus, PipelineTable } from './tables.js'
import { nextTransitions, type Progress } from './transitions.js'

/** Makes stages and pipeline what their jobs come to, where no job's turn can have come by what happened. */
export async function saveStatuses(tx: Transaction, pipelineId: number): Promise<void> {
  await saveProgress(tx, pipelineId, nextTransitions(await loadGraph(tx, pipelineId)))
}

/** Once the transitions are made. */
export async function saveProgress(
  tx: Transaction,
  pipelineId: number,
  { stages, pipeline }: Pick<Progress, 'stages' | 'pipeline'>,
): Promise<void> {
  await saveStages(tx, pipelineId, stages)
  if (pipeline) await savePipeline(tx, pipelineId, pipeline)
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

export async function savePipeline(
  tx: Transaction,
  pipelineId: number,
  status: CompositeStatus,
): Promise<void> {
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
