import type { Selectable } from 'kysely'

import { maySeeProject, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { MergeRequestTable, MergeRequestVersionTable } from '../../database/tables/merge-requests.js'

export type MergeRequestRow = Selectable<MergeRequestTable>

/** Number of merge requests in `CI_OPEN_MERGE_REQUESTS` (CI language, 8.7). */
const MAX_OPEN = 4

/** `id`: null or undefined = no merge request. Undefined as well if it was deleted. */
export async function findMergeRequest(
  database: Database,
  id: number | null | undefined,
): Promise<MergeRequestRow | undefined> {
  if (id === null || id === undefined) return undefined
  return database.selectFrom('merge_request').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The merge request of a stored pipeline; undefined if it has none, or it was deleted. */
export function findMergeRequestOfPipeline(
  database: Database,
  pipelineId: number,
): Promise<MergeRequestRow | undefined> {
  return database
    .selectFrom('pipeline')
    .innerJoin('merge_request', 'merge_request.id', 'pipeline.merge_request_id')
    .selectAll('merge_request')
    .where('pipeline.id', '=', pipelineId)
    .executeTakeFirst()
}

/** The latest version of a merge request with this head; undefined if there is none. */
export function findVersion(
  database: Database,
  mergeRequestId: number,
  headSha: string,
): Promise<Pick<Selectable<MergeRequestVersionTable>, 'id' | 'base_sha'> | undefined> {
  return database
    .selectFrom('merge_request_version')
    .select(['id', 'base_sha'])
    .where('merge_request_id', '=', mergeRequestId)
    .where('head_sha', '=', headSha)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest open merge request from a branch of a project into the same project. */
export function findNewestOpenFrom(
  database: Database,
  projectId: number,
  branch: string,
): Promise<MergeRequestRow | undefined> {
  return database
    .selectFrom('merge_request')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('source_project_id', '=', projectId)
    .where('source_branch', '=', branch)
    .where('state', '=', 'opened')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const anyOpenFromBranch = preparedRead(
  (database, { projectId, branch }: { projectId: Placeholder<number>; branch: Placeholder<string> }) =>
    database
      .selectFrom('merge_request')
      .select('id')
      .where('source_project_id', '=', projectId)
      .where('source_branch', '=', branch)
      .where('state', '=', 'opened')
      .limit(1),
)

/**
 * The newest open merge requests from a branch, as `group/project!iid` of their target projects. Includes only merge
 * requests into the project of the pipeline, and those that its user may see, because its variables name them.
 */
export async function findOpenFromBranch(
  database: Database,
  { projectId, branch }: { projectId: number; branch: string },
  { pipelineProjectId, viewer }: { pipelineProjectId: number; viewer: Viewer },
): Promise<string[]> {
  // Most branches have none; to know that is cheaper than to compile the query below.
  if ((await anyOpenFromBranch(database, { projectId, branch })).length === 0) return []
  const rows = await database
    .selectFrom('merge_request')
    .innerJoin('project', 'project.id', 'merge_request.project_id')
    .select(['project.full_path', 'merge_request.iid'])
    .where('merge_request.source_project_id', '=', projectId)
    .where('merge_request.source_branch', '=', branch)
    .where('merge_request.state', '=', 'opened')
    .where(({ eb, or }) => or([eb('project.id', '=', pipelineProjectId), maySeeProject(viewer)]))
    .orderBy('merge_request.id', 'desc')
    .limit(MAX_OPEN)
    .execute()
  return rows.map(({ full_path, iid }) => `${full_path}!${iid}`)
}
