import type { Viewer } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { EventFacts } from '../../predefined-variables/event-facts.js'
import type { EventMergeRequest } from '../../predefined-variables/merge-request-variables.js'
import {
  findMergeRequest,
  findOpenFromBranch,
  findVersion,
  type MergeRequestRow,
} from '../merge-request-store.js'
import { protectionOf } from '../permissions/ref-protection.js'

/** What the variables of a pipeline say about merge requests. */
export type FactsOfMergeRequests = Pick<EventFacts, 'mergeRequest' | 'openMergeRequests'>

/** The pipeline, before or after it was stored. */
interface Event {
  projectId: number
  ref: string
  refType: 'branch' | 'tag'
  sha: string
  /** Its merge request. */
  mergeRequest: MergeRequestRow | undefined
}

/**
 * Reads the facts about the merge request of a pipeline, and about the open ones from its branch that `viewer`,
 * the user of the pipeline, may see (CI language, 8.7).
 */
export async function factsOfMergeRequests(
  database: Database,
  { projectId, ref, refType, sha, mergeRequest }: Event,
  viewer: Viewer,
): Promise<FactsOfMergeRequests> {
  if (refType === 'tag') return {}
  const from = mergeRequest
    ? { projectId: mergeRequest.source_project_id ?? 0, branch: mergeRequest.source_branch }
    : { projectId, branch: ref }
  return {
    openMergeRequests: await findOpenFromBranch(database, from, { pipelineProjectId: projectId, viewer }),
    mergeRequest: mergeRequest && (await factsOf(database, mergeRequest, sha)),
  }
}

/** Like `factsOfMergeRequests`, for a stored pipeline. */
export async function factsOfStoredPipeline(
  database: Database,
  { project_id: projectId, ref, tag, sha, merge_request_id }: PipelineRow,
  viewer: Viewer,
): Promise<FactsOfMergeRequests> {
  const mergeRequest = await findMergeRequest(database, merge_request_id)
  const event = { projectId, ref, refType: tag ? 'tag' : 'branch', sha, mergeRequest } as const
  return factsOfMergeRequests(database, event, viewer)
}

async function factsOf(database: Database, row: MergeRequestRow, sha: string): Promise<EventMergeRequest> {
  const { source_project_id: sourceProjectId } = row
  const version = await findVersion(database, row.id, sha)
  return {
    id: row.id,
    iid: row.iid,
    project: await projectOf(database, row.project_id),
    sourceProject: sourceProjectId === null ? undefined : await projectOf(database, sourceProjectId),
    sourceBranch: row.source_branch,
    isSourceProtected:
      sourceProjectId !== null && (await isProtected(database, sourceProjectId, row.source_branch)),
    targetBranch: row.target_branch,
    isTargetProtected: await isProtected(database, row.project_id, row.target_branch),
    title: row.title,
    draft: row.draft,
    description: row.description ?? '',
    assignees: await assigneesOf(database, row.id),
    labels: await labelsOf(database, row.id),
    milestone: await milestoneOf(database, row.milestone_id),
    squash: row.squash,
    diff: version && { id: version.id, baseSha: version.base_sha },
    merged: await mergedInTrain(database, row.id, sha),
  }
}

/** The commits that a merge train has merged into this one; undefined if it has not. */
async function mergedInTrain(
  database: Database,
  mergeRequestId: number,
  sha: string,
): Promise<EventMergeRequest['merged']> {
  const car = await database
    .selectFrom('merge_train_car')
    .select(['head_sha', 'parent_sha'])
    .where('merge_request_id', '=', mergeRequestId)
    .where('commit_sha', '=', sha)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return car?.parent_sha ? { source: car.head_sha, target: car.parent_sha } : undefined
}

async function isProtected(database: Database, projectId: number, branch: string): Promise<boolean> {
  return (await protectionOf(database, projectId, 'branch', branch)) !== undefined
}

async function projectOf(database: Database, id: number): Promise<EventMergeRequest['project']> {
  const { full_path } = await database
    .selectFrom('project')
    .select('full_path')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, path: full_path }
}

async function assigneesOf(database: Database, id: number): Promise<string[]> {
  const rows = await database
    .selectFrom('merge_request_assignee')
    .innerJoin('user', 'user.id', 'merge_request_assignee.user_id')
    .select('user.username')
    .where('merge_request_id', '=', id)
    .orderBy('position')
    .execute()
  return rows.map(({ username }) => username)
}

async function labelsOf(database: Database, id: number): Promise<string[]> {
  const rows = await database
    .selectFrom('merge_request_label')
    .innerJoin('label', 'label.id', 'merge_request_label.label_id')
    .select('label.name')
    .where('merge_request_id', '=', id)
    .orderBy('label.name')
    .execute()
  return rows.map(({ name }) => name)
}

async function milestoneOf(database: Database, id: number | null): Promise<string | undefined> {
  if (id === null) return undefined
  const row = await database.selectFrom('milestone').select('title').where('id', '=', id).executeTakeFirst()
  return row?.title
}
