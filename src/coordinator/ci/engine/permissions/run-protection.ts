import { isMergeRequestRef, isTrainRef } from '../../../../git/names.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import { findMergeRequestOfPipeline, type MergeRequestRow } from '../merge-request-store.js'
import { protectionOf, type RefProtection } from './ref-protection.js'

/** A new pipeline, as far as its protection depends on it. */
interface NewRun {
  project: Pick<ProjectRow, 'id'>
  user: Pick<UserRow, 'id'>
  ref: string
  refType: 'branch' | 'tag'
  mergeRequest?: MergeRequestRow | undefined
}

/**
 * The protection of a new pipeline. That of a merge request is protected only for a user who may write to both of
 * its branches (CI language, 8.2); for others it runs without the data of protected refs. So it is never refused
 * because of its ref. That of a merge train is not protected: it contains the changes of others, also of forks.
 */
export async function protectionForRun(
  database: Database,
  { project, user, ref, refType, mergeRequest }: NewRun,
  accessLevel: number,
): Promise<RefProtection> {
  if (isTrainRef(ref)) return undefined
  if (!isMergeRequestRef(ref)) return protectionOf(database, project.id, refType, ref, user.id)
  const protection = await protectionOfMergeRequest(database, project.id, mergeRequest, user.id)
  return protection?.levels.some((level) => accessLevel >= level) ? protection : undefined
}

/** A stored pipeline or job. */
type StoredRun = Pick<JobRow, 'project_id' | 'pipeline_id' | 'ref' | 'tag' | 'protected'>

/**
 * The protection of a stored pipeline or job as of now; it decides which users may start it. Jobs for a merge request
 * that were not protected when they were created never are.
 */
export async function protectionOfStored(
  database: Database,
  { project_id, pipeline_id, ref, tag, protected: wasProtected }: StoredRun,
  userId?: number,
): Promise<RefProtection> {
  if (!isMergeRequestRef(ref)) return protectionOf(database, project_id, tag ? 'tag' : 'branch', ref, userId)
  if (!wasProtected) return undefined
  const mergeRequest = await findMergeRequestOfPipeline(database, pipeline_id)
  return protectionOfMergeRequest(database, project_id, mergeRequest, userId)
}

/**
 * Whether a restarted job still receives the data of protected refs. Its ref must have been protected when
 * the pipeline was created, and must still be protected. Otherwise a user who may run jobs only because
 * protection was removed would receive the data.
 */
export async function isStillProtected(database: Database, job: StoredRun): Promise<boolean> {
  return job.protected && (await protectionOfStored(database, job)) !== undefined
}

/**
 * Undefined unless both branches are protected branches of the project that runs the pipeline: the branch of a
 * fork may contain anything. A user needs a level that suffices on both.
 */
async function protectionOfMergeRequest(
  database: Database,
  projectId: number,
  mergeRequest: MergeRequestRow | undefined,
  userId: number | undefined,
): Promise<RefProtection> {
  if (mergeRequest?.project_id !== projectId || mergeRequest.source_project_id !== projectId) return undefined
  const source = await protectionOf(database, projectId, 'branch', mergeRequest.source_branch, userId)
  const target = await protectionOf(database, projectId, 'branch', mergeRequest.target_branch, userId)
  if (!source || !target) return undefined
  return { levels: source.levels.flatMap((one) => target.levels.map((other) => Math.max(one, other))) }
}
