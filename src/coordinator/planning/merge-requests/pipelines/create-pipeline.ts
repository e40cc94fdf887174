import { ACCESS_LEVELS } from '../../../access/access-levels.js'
import type { User } from '../../../access/caller.js'
import { createPipelineForMergeRequest } from '../../../ci/engine/create/create-for-merge-request.js'
import type { EngineDeps } from '../../../ci/engine/engine-deps.js'
import { findProject } from '../../../ci/engine/pipeline-store.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { apiError, forbidden } from '../../../http/errors.js'
import { refusedPipeline } from '../../../http/refused-pipeline.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { latestVersion, type MergeRequestRow } from '../../stores/merge-request-store.js'
import { placeIn, type VisibilityDeps } from '../visible-project.js'

/**
 * Creates the pipeline of an open merge request for its latest version, in the project of the source branch (CI
 * language, 9.8). `userId`: the user who has pushed the commits, or opened the merge request. A second call for
 * one head creates nothing, so it may be repeated after a crash.
 */
export async function createPipelineOfVersion(
  engine: EngineDeps,
  mergeRequest: MergeRequestRow,
  userId: number,
): Promise<void> {
  const { source_project_id: sourceId, state, head_sha, unbuilt_head_sha } = mergeRequest
  if (sourceId === null || state !== 'opened' || head_sha === unbuilt_head_sha) return
  if (!(await hasCommits(engine, mergeRequest))) return
  const { database, logger } = engine
  const user = await database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  if (!user) return
  const project = await findProject(database, sourceId)
  const wanted = { mergeRequest, project, user, mayRepeat: false }
  const creation = await createPipelineForMergeRequest(engine, wanted)
  if (creation.kind === 'created') return
  logger.debug(
    { mergeRequest: mergeRequest.id, user: userId, reason: creation.message },
    'No pipeline created for a version of a merge request',
  )
}

/**
 * Creates a pipeline for the head of a merge request because a user asks for it: in the target project for its
 * developers, otherwise in the project of the source branch (CI language, 9.8). Throws 403 for other users, 405 if
 * the merge request has no commits, and 400 with the reason if no pipeline is created.
 */
export async function startPipelineOf(
  deps: VisibilityDeps & { engine: EngineDeps },
  mergeRequest: MergeRequestRow,
  caller: CallerInProject & { user: User },
): Promise<PipelineRow> {
  const { source_project_id: sourceId } = mergeRequest
  const isDeveloper = caller.accessLevel >= ACCESS_LEVELS.developer
  const there = isDeveloper || sourceId === null ? caller : await placeIn(deps, caller, sourceId)
  if (there.accessLevel < ACCESS_LEVELS.developer) throw forbidden()
  if (!(await hasCommits(deps.engine, mergeRequest))) throw apiError('merge_request_without_commits')
  const wanted = { mergeRequest, project: there.project, user: caller.user, mayRepeat: true }
  const creation = await createPipelineForMergeRequest(deps.engine, wanted)
  if (creation.kind === 'refused') throw refusedPipeline(creation)
  return creation.pipeline
}

/**
 * Whether its head is a version with commits that the target branch has not. Before there is a version, the target
 * project may not have the commits of a fork.
 */
async function hasCommits({ database }: EngineDeps, { id, head_sha }: MergeRequestRow): Promise<boolean> {
  const version = await latestVersion(database, id)
  return version !== undefined && version.head_sha === head_sha && version.commit_count > 0
}
