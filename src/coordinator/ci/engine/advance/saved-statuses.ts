import { type CompiledQuery, type QueryResult, sql } from 'kysely'

import { groupBy } from '../../../../lib/group-by.js'
import { executeTogether, type Queries, type Results } from '../../../database/execute-together.js'
import { isInJson } from '../../../database/json-rows.js'
import { requireRow } from '../../../database/lost-race.js'
import { type Placeholder, PreparedStatement } from '../../../database/prepared-statement.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { CommitStatusRow } from '../commit-status-store.js'
import { pipelinesByIds } from '../pipeline-store.js'
import type { StageStatus } from '../stage-store.js'
import { type FoundState, jobStates } from './job-state-store.js'
import type { JobStateGroup } from './progress-of-states.js'

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
  const results = await executeTogether(tx, savedStatuses(tx, [pipelineId]))
  return requireRow(toSaved([pipelineId], results).get(pipelineId), 'pipeline', pipelineId)
}

/** The states of the jobs of a pipeline, and the statuses that are stored so far. */
export interface StatesAndStatuses {
  states: readonly JobStateGroup[]
  saved: SavedStatuses
}

type StateRows = [FoundState, ReportedStatus, FoundStage, PipelineRow]

/** For `executeTogether`; see `toStatesAndStatuses`. */
export function statesAndStatuses(tx: Transaction, pipelineIds: readonly number[]): Queries<StateRows> {
  return [jobStates.with(tx, { pipelineIds: JSON.stringify(pipelineIds) }), ...savedStatuses(tx, pipelineIds)]
}

/** By the ID of the pipeline. */
export function toStatesAndStatuses(
  pipelineIds: readonly number[],
  [states, ...statuses]: Results<StateRows>,
): Map<number, StatesAndStatuses> {
  const statesOf = groupBy(states.rows, ({ pipelineId }) => pipelineId)
  const found = new Map<number, StatesAndStatuses>()
  for (const [id, saved] of toSaved(pipelineIds, statuses))
    found.set(id, { states: statesOf.get(id) ?? [], saved })
  return found
}

interface FoundStage extends StageStatus {
  pipeline_id: number
}

type ReportedStatus = Pick<CommitStatusRow, 'pipeline_id' | 'stage_id' | 'status'>

/** In the order of `toSaved`. */
function savedStatuses(
  tx: Transaction,
  pipelineIds: readonly number[],
): [CompiledQuery<ReportedStatus>, CompiledQuery<FoundStage>, CompiledQuery<PipelineRow>] {
  const ids = JSON.stringify(pipelineIds)
  return [
    latestCommitStatuses.with(tx, { ids }),
    stageStatuses.with(tx, { ids }),
    pipelinesByIds.with(tx, { ids }),
  ]
}

/** By the ID of the pipeline. */
function toSaved(
  pipelineIds: readonly number[],
  [reported, stages, pipelines]: [
    QueryResult<ReportedStatus>,
    QueryResult<FoundStage>,
    QueryResult<PipelineRow>,
  ],
): Map<number, SavedStatuses> {
  const rows = new Map(pipelines.rows.map((pipeline) => [pipeline.id, pipeline]))
  const reportedOf = groupBy(reported.rows, ({ pipeline_id }) => pipeline_id)
  const stagesOf = groupBy(stages.rows, ({ pipeline_id }) => pipeline_id)
  const saved = new Map<number, SavedStatuses>()
  for (const id of pipelineIds) {
    const savedPipeline = requireRow(rows.get(id), 'pipeline', id)
    saved.set(id, {
      reported: reportedOf.get(id) ?? [],
      savedStages: stagesOf.get(id) ?? [],
      savedPipeline,
    })
  }
  return saved
}

interface OfPipelines extends Record<string, Placeholder<unknown>> {
  /** JSON. */
  ids: Placeholder<string>
}

const latestCommitStatuses = new PreparedStatement((database, { ids }: OfPipelines, dialect) =>
  database
    .selectFrom('commit_status')
    .select(['pipeline_id', 'stage_id', 'status'])
    .where(isInJson(dialect, sql.ref('pipeline_id'), ids))
    .where('retried', '=', false),
)

const stageStatuses = new PreparedStatement((database, { ids }: OfPipelines, dialect) =>
  database
    .selectFrom('stage')
    .select(['pipeline_id', 'id', 'status'])
    .where(isInJson(dialect, sql.ref('pipeline_id'), ids)),
)
