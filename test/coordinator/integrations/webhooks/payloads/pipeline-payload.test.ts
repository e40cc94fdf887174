import { expect, test } from 'vitest'

import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { pipelinePayload } from '../../../../../src/coordinator/integrations/webhooks/payloads/pipeline-payload.js'
import { mergeRequestState } from '../../../../../src/coordinator/planning/merge-requests/hook-state.js'
import type { MergeRequestRow } from '../../../../../src/coordinator/planning/stores/merge-request-store.js'
import { openSqlite } from '../../../../support/databases.js'
import { openEngine, pipelineOf, type TestEngine } from '../../../ci/engine/support/engine.js'
import { addMergeRequest, pipelineOfMergeRequest } from '../../../ci/engine/support/merge-requests.js'

const FILE = 'job: {script: x, rules: [{when: always}]}'

async function payloadOf({ deps, repositories: fake, project }: TestEngine, pipeline: PipelineRow) {
  const { database, secrets } = deps
  const repositories = Object.assign(fake, { commitOf: async (_project: number, id: string) => id })
  const pushedCommits = async () => ({ commits: [], total: 0 })
  const payloadDeps = {
    database,
    secrets,
    repositories,
    pushedCommits,
    wikiContent: () => Promise.resolve(''),
    mergeRequestState: (row: MergeRequestRow) => mergeRequestState(database, row),
    externalUrl: 'http://switchyard.example',
  }
  return pipelinePayload(payloadDeps, project.id, { pipeline, jobs: [] }, Date.now())
}

test('the event of a pipeline describes its merge request', async () => {
  const engine = await openEngine(openSqlite)
  const mergeRequest = await addMergeRequest(engine)
  const { id, iid } = mergeRequest
  const payload = await payloadOf(engine, await pipelineOfMergeRequest(engine, mergeRequest, FILE))
  expect(payload?.object_attributes).toMatchObject({
    ref: `refs/merge-requests/${iid}/head`,
    source: 'merge_request_event',
  })
  expect(payload?.merge_request).toEqual({
    id,
    iid,
    title: 'A change',
    source_branch: 'feature',
    source_project_id: engine.project.id,
    target_branch: 'main',
    target_project_id: engine.project.id,
    state: 'opened',
    merge_status: 'unchecked',
    detailed_merge_status: 'preparing',
    url: `http://switchyard.example/${engine.project.full_path}/-/merge_requests/${iid}`,
  })
})

test('the event of a pipeline of a branch has no merge request', async () => {
  const engine = await openEngine(openSqlite)
  await addMergeRequest(engine)
  const payload = await payloadOf(engine, await pipelineOf(engine, FILE, { ref: 'feature' }))
  expect(payload?.merge_request).toBeNull()
})
