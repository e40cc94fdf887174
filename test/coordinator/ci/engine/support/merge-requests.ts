import type { Insertable } from 'kysely'

import { createPipelineForMergeRequest } from '../../../../../src/coordinator/ci/engine/create/create-for-merge-request.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import {
  findMergeRequest,
  type MergeRequestRow,
} from '../../../../../src/coordinator/ci/engine/merge-request-store.js'
import type { MergeRequestTable } from '../../../../../src/coordinator/database/tables/merge-requests.js'
import type { PipelineRow, ProjectRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { TestEngine } from './engine.js'
import { SHA } from './fake-repositories.js'

let counter = 0

interface WithDatabase {
  deps: Pick<EngineDeps, 'database'>
}

/** Stores an open merge request from `feature` into `main`, with one version for its head. */
export async function addMergeRequest(
  { deps, project, user }: Pick<TestEngine, 'project' | 'user'> & WithDatabase,
  changes: Partial<Insertable<MergeRequestTable>> = {},
): Promise<MergeRequestRow> {
  const { database } = deps
  const now = Date.now()
  const row = await database
    .insertInto('merge_request')
    .values({
      project_id: project.id,
      iid: ++counter,
      source_project_id: project.id,
      source_branch: 'feature',
      target_branch: 'main',
      title: 'A change',
      author_id: user.id,
      head_sha: SHA,
      created_at: now,
      updated_at: now,
      ...changes,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.head_sha !== null) await addVersion({ deps }, row, row.head_sha)
  return row
}

export const BASE_SHA = 'b'.repeat(40)

/** Moves the head of the merge request. */
export async function addVersion(
  { deps }: WithDatabase,
  { id }: MergeRequestRow,
  headSha: string,
): Promise<MergeRequestRow> {
  await deps.database
    .insertInto('merge_request_version')
    .values({
      merge_request_id: id,
      head_sha: headSha,
      base_sha: BASE_SHA,
      start_sha: BASE_SHA,
      commit_count: 1,
      file_count: 1,
      created_at: Date.now(),
    })
    .execute()
  await deps.database.updateTable('merge_request').set({ head_sha: headSha }).where('id', '=', id).execute()
  return (await findMergeRequest(deps.database, id)) as MergeRequestRow
}

/** Creates a pipeline of the merge request from a valid CI file. */
export async function pipelineOfMergeRequest(
  engine: TestEngine,
  mergeRequest: MergeRequestRow,
  ciFile: string,
  { project = engine.project, mayRepeat = false }: { project?: ProjectRow; mayRepeat?: boolean } = {},
): Promise<PipelineRow> {
  engine.repositories.ciFile = ciFile
  const wanted = { mergeRequest, project, user: engine.user, mayRepeat }
  const creation = await createPipelineForMergeRequest(engine.deps, wanted)
  if (creation.kind === 'refused') throw new Error(creation.message)
  return creation.pipeline
}
