import type { CompiledQuery, QueryResult } from 'kysely'

import { executeTogether, type Queries, type Results } from '../../../database/execute-together.js'
import { requireRow } from '../../../database/lost-race.js'
import { type Placeholder, PreparedStatement } from '../../../database/prepared-statement.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import type { CommitStatusRow } from '../commit-status-store.js'
import { pipelinesByIds } from '../pipeline-store.js'
import { jobStates } from './job-state-store.js'
import type { JobStateGroup } from './progress-of-states.js'

export interface StageStatus {
  id: number
  status: CompositeStatus
}

export interface SavedStatuses {
  /** External statuses. */
  reported: readonly Pick<CommitStatusRow, 'stage_id' | 'status'>[]
  savedStages: readonly StageStatus[]
  savedPipeline: PipelineRow
}

/**
 * The statuses of a pipeline as they are stored. One round trip, because other transactions wait for the lock of the
 * pipeline.
 */
export async function readSavedStatuses(tx: Transaction, pipelineId: number): Promise<SavedStatuses> {
  return toSaved(pipelineId, await executeTogether(tx, savedStatuses(tx, pipelineId)))
}

/** The states of the jobs of a pipeline, and the statuses that are stored so far. */
export interface StatesAndStatuses {
  states: readonly JobStateGroup[]
  saved: SavedStatuses
}

type StateRows = [JobStateGroup, ReportedStatus, StageStatus, PipelineRow]

/** For `executeTogether`; see `toStatesAndStatuses`. */
export function statesAndStatuses(tx: Transaction, pipelineId: number): Queries<StateRows> {
  return [jobStates.with(tx, { pipelineId }), ...savedStatuses(tx, pipelineId)]
}

export function toStatesAndStatuses(
  pipelineId: number,
  [states, ...statuses]: Results<StateRows>,
): StatesAndStatuses {
  return { states: states.rows, saved: toSaved(pipelineId, statuses) }
}

type ReportedStatus = SavedStatuses['reported'][number]

/** In the order of `toSaved`. */
function savedStatuses(
  tx: Transaction,
  pipelineId: number,
): [CompiledQuery<ReportedStatus>, CompiledQuery<StageStatus>, CompiledQuery<PipelineRow>] {
  return [
    latestCommitStatuses.with(tx, { pipelineId }),
    stageStatuses.with(tx, { pipelineId }),
    pipelinesByIds.with(tx, { ids: JSON.stringify([pipelineId]) }),
  ]
}

function toSaved(
  pipelineId: number,
  [reported, stages, pipelines]: [
    QueryResult<ReportedStatus>,
    QueryResult<StageStatus>,
    QueryResult<PipelineRow>,
  ],
): SavedStatuses {
  return {
    reported: reported.rows,
    savedStages: stages.rows,
    savedPipeline: requireRow(pipelines.rows[0], 'pipeline', pipelineId),
  }
}

interface OfPipeline extends Record<string, Placeholder<unknown>> {
  pipelineId: Placeholder<number>
}

const latestCommitStatuses = new PreparedStatement((database, { pipelineId }: OfPipeline) =>
  database
    .selectFrom('commit_status')
    .select(['stage_id', 'status'])
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false),
)

const stageStatuses = new PreparedStatement((database, { pipelineId }: OfPipeline) =>
  database.selectFrom('stage').select(['id', 'status']).where('pipeline_id', '=', pipelineId),
)
