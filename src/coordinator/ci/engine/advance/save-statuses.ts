import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import { lockArtifacts, unlockArtifacts } from '../../storage/artifacts/artifact-locks.js'
import type { EngineDeps } from '../engine-deps.js'
import { notifyBridges, type StatusChange } from '../hierarchy/notify-bridges.js'
import { isFinished } from '../job-status.js'
import { findRunIntervals, movePipeline } from '../pipeline-store.js'
import { saveStageStatuses, type StageStatus } from '../stage-store.js'
import { appliedToPipeline, appliedToStage } from './applied-status.js'
import { compositeOfSymbols } from './composite-status.js'
import { coveredTime } from './covered-time.js'
import { loadGraph } from './graph-store.js'
import { readSavedStatuses, type SavedStatuses } from './saved-statuses.js'
import { nextTransitions, type Progress } from './transitions.js'

/** Recomputes the statuses of stages and pipeline after changes that cannot make a job ready. */
export async function saveStatuses(
  deps: Pick<EngineDeps, 'notifications'>,
  tx: Transaction,
  pipelineId: number,
): Promise<void> {
  await saveProgress(deps, tx, pipelineId, nextTransitions(await loadGraph(tx, pipelineId)))
}

/**
 * Runs after the transitions, and includes external statuses of the commit (API, E3). `saved`: the statuses that are saved so
 * far, if they have been read.
 */
export async function saveProgress(
  deps: Pick<EngineDeps, 'notifications'>,
  tx: Transaction,
  pipelineId: number,
  { stages, symbols }: Pick<Progress, 'stages' | 'symbols'>,
  saved?: SavedStatuses,
): Promise<void> {
  const { reported, savedStages, savedPipeline } = saved ?? (await readSavedStatuses(tx, pipelineId))
  const external = new Set(reported.map(({ status }) => status))
  const externalStatus = compositeOfSymbols(external)
  const externalStages = reported.map(({ stage_id }) => [stage_id, externalStatus ?? 'created'] as const)
  await saveStages(tx, savedStages, new Map([...stages, ...externalStages]))
  const pipeline = compositeOfSymbols(new Set([...symbols, ...external]))
  const moved = pipeline && (await savePipeline(tx, savedPipeline, pipeline))
  if (moved?.change) await notifyBridges(deps, tx, pipelineId, moved.change)
}

async function saveStages(
  tx: Transaction,
  saved: readonly StageStatus[],
  statuses: ReadonlyMap<number, CompositeStatus>,
): Promise<void> {
  const changed = saved.flatMap(({ id, status: before }) => {
    const composite = statuses.get(id)
    const status = composite && appliedToStage(before, composite)
    return status && status !== before ? [{ id, status }] : []
  })
  await saveStageStatuses(tx, changed)
}

export interface SavedPipeline {
  pipeline: PipelineRow
  /** Undefined if the status was the same. */
  change: StatusChange | undefined
}

export async function savePipeline(
  tx: Transaction,
  pipeline: PipelineRow,
  composite: CompositeStatus,
): Promise<SavedPipeline> {
  const status = appliedToPipeline(pipeline.status, composite)
  if (status === pipeline.status) return { pipeline, change: undefined }
  const now = Date.now()
  const changed: PipelineRow = { ...pipeline, status, updated_at: now, finished_at: null }
  if (status === 'running') changed.started_at = pipeline.started_at ?? now
  if (isFinished(status)) {
    changed.finished_at = now
    changed.duration = Math.round(coveredTime(await findRunIntervals(tx, pipeline.id)) / 1000)
  }
  const { updated_at, started_at, finished_at, duration } = changed
  const move = { status, updated_at, started_at, finished_at, duration }
  await movePipeline(tx, pipeline.id, pipeline.status, move)
  if (status === 'success') await lockArtifacts(tx, pipeline)
  else if (isFinished(status)) await unlockArtifacts(tx, pipeline.id)
  return { pipeline: changed, change: { from: pipeline.status, to: status } }
}
