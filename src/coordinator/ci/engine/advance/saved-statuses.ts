import { executeTogether } from '../../../database/execute-together.js'
import { theRow } from '../../../database/lost-race.js'
import { type Placeholder, PreparedStatement } from '../../../database/prepared-statement.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import type { CommitStatusRow } from '../commit-status-store.js'
import { updateStages } from '../job-store.js'
import { pipelinesByIds } from '../pipeline-store.js'

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
  const [reported, stages, pipelines] = await executeTogether(tx, [
    latestCommitStatuses.with(tx, { pipelineId }),
    stageStatuses.with(tx, { pipelineId }),
    pipelinesByIds.with(tx, { ids: JSON.stringify([pipelineId]) }),
  ])
  return {
    reported: reported.rows,
    savedStages: stages.rows,
    savedPipeline: theRow(pipelines.rows[0], 'pipeline', pipelineId),
  }
}

/** Makes stages running, and reads their pipelines. */
export async function startStages(
  tx: Transaction,
  stageIds: readonly number[],
  pipelineIds: readonly number[],
): Promise<PipelineRow[]> {
  const [, pipelines] = await executeTogether(tx, [
    updateStages.with(tx, { ids: JSON.stringify(stageIds), status: 'running' }),
    pipelinesByIds.with(tx, { ids: JSON.stringify(pipelineIds) }),
  ])
  return pipelines.rows
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
