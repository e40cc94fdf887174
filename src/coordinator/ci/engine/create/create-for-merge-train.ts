import { trainRef, ZERO_ID } from '../../../../git/names.js'
import type { PipelineRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import type { MergeRequestRow } from '../merge-request-store.js'
import { createPipeline } from './create-pipeline.js'
import type { PipelineCreation, PipelineRefusal } from './pipeline-request.js'

/** A pipeline for the result of a merge request in a merge train. */
export interface PipelineForTrain {
  mergeRequest: MergeRequestRow
  /** The target project, which has the commit. */
  project: ProjectRow
  user: UserRow
  sha: string
  /** Whether the train still wants it, in the transaction that stores it. */
  isWanted: (tx: Transaction) => Promise<boolean>
  /** In that transaction. */
  onStored: (tx: Transaction, pipeline: PipelineRow) => Promise<void>
}

const UNWANTED: PipelineRefusal = {
  kind: 'refused',
  reason: 'duplicate',
  message: 'The merge train does not need this pipeline any more',
}

/** Creates the pipeline, after all checks (CI language, 9.2). A repeated request creates nothing. */
export function createPipelineForTrain(
  deps: EngineDeps,
  { mergeRequest, project, user, sha, isWanted, onStored }: PipelineForTrain,
): Promise<PipelineCreation> {
  return createPipeline(deps, {
    project,
    user,
    mergeRequest,
    source: 'merge_request_event',
    ref: trainRef(mergeRequest.iid),
    refType: 'branch',
    sha,
    beforeSha: ZERO_ID,
    recheck: async (tx) => ((await isWanted(tx)) ? undefined : UNWANTED),
    afterStored: onStored,
  })
}
