import { mergeRequestRef, ZERO_ID } from '../../../../git/names.js'
import type { Database } from '../../../database/connect.js'
import type { ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../engine-deps.js'
import type { MergeRequestRow } from '../merge-request-store.js'
import { createPipeline } from './create-pipeline.js'
import type { PipelineCreation, PipelineRefusal } from './pipeline-request.js'

/** A requested pipeline for the head of a merge request. */
export interface PipelineForMergeRequest {
  mergeRequest: MergeRequestRow
  /** Runs the pipeline: the source or the target project. It must have the commit. */
  project: ProjectRow
  user: UserRow
  /** Whether to create another pipeline if the merge request has one for its head. */
  mayRepeat: boolean
}

/**
 * Creates a pipeline for the head of a merge request, after all checks (CI language, 9.2). Unless it may repeat,
 * a second request for the same head creates nothing, also if both run at the same time.
 */
export async function createPipelineForMergeRequest(
  deps: EngineDeps,
  { mergeRequest, project, user, mayRepeat }: PipelineForMergeRequest,
): Promise<PipelineCreation> {
  const { head_sha: sha } = mergeRequest
  if (sha === null) return { kind: 'refused', reason: 'no-ref', message: 'Commit not found' }
  const recheck = (database: Database) => refusalOfRepetition(database, mergeRequest.id, sha)
  const refusal = mayRepeat ? undefined : await recheck(deps.database)
  if (refusal) return refusal
  return createPipeline(deps, {
    project,
    user,
    mergeRequest,
    source: 'merge_request_event',
    ref: mergeRequestRef(mergeRequest.iid),
    refType: 'branch',
    sha,
    beforeSha: ZERO_ID,
    ...(!mayRepeat && { recheck }),
  })
}

async function refusalOfRepetition(
  database: Database,
  mergeRequestId: number,
  sha: string,
): Promise<PipelineRefusal | undefined> {
  const present = await database
    .selectFrom('pipeline')
    .select('id')
    .where('merge_request_id', '=', mergeRequestId)
    .where('sha', '=', sha)
    .where('source', '=', 'merge_request_event')
    .limit(1)
    .executeTakeFirst()
  if (!present) return undefined
  return { kind: 'refused', reason: 'duplicate', message: 'The merge request has a pipeline for its head' }
}
