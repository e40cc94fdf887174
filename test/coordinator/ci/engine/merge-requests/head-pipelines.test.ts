import { expect, test } from 'vitest'

import {
  findHeadPipeline,
  findHeadPipelines,
  findPipelineAt,
} from '../../../../../src/coordinator/ci/engine/merge-requests/head-pipelines.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { openEngine, pipelineOf } from '../support/engine.js'
import { SHA } from '../support/fake-repositories.js'
import { addMergeRequest, addVersion, pipelineOfMergeRequest } from '../support/merge-requests.js'
import { addProject } from '../support/records.js'

const FILE = 'job: {script: x, rules: [{when: always}]}'
const OTHER_SHA = 'e'.repeat(40)

describeOnDatabase('the head pipeline of a merge request', (open) => {
  test('is its latest pipeline for its head', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const mergeRequest = await addMergeRequest(engine)
    expect(await findHeadPipeline(database, mergeRequest)).toBeUndefined()
    await pipelineOfMergeRequest(engine, mergeRequest, FILE)
    const second = await pipelineOfMergeRequest(engine, mergeRequest, FILE, { mayRepeat: true })
    await pipelineOf(engine, FILE, { ref: 'feature' })
    expect((await findHeadPipeline(database, mergeRequest))?.id).toBe(second.id)
    const moved = await addVersion(engine, mergeRequest, OTHER_SHA)
    expect(await findHeadPipeline(database, moved)).toBeUndefined()
    expect((await findPipelineAt(database, moved, SHA))?.id).toBe(second.id)
    expect(await findPipelineAt(database, moved, OTHER_SHA)).toBeUndefined()
  })

  test('or else the latest one of the source branch in the source project', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const fork = await addProject(database, engine.user)
    const mergeRequest = await addMergeRequest(engine, { source_project_id: fork.id })
    await pipelineOf(engine, FILE, { ref: 'feature' })
    await pipelineOf(engine, FILE, { ref: 'feature', sha: OTHER_SHA, project: fork })
    await pipelineOf(engine, FILE, { ref: 'feature', refType: 'tag', project: fork })
    await pipelineOf(engine, FILE, { ref: 'main', project: fork })
    expect(await findHeadPipeline(database, mergeRequest)).toBeUndefined()
    const latest = await pipelineOf(engine, FILE, { ref: 'feature', project: fork })
    await pipelineOf(engine, FILE, { ref: 'feature', project: fork, source: 'parent_pipeline' })
    expect((await findHeadPipeline(database, mergeRequest))?.id).toBe(latest.id)
    expect((await findPipelineAt(database, mergeRequest, SHA))?.id).toBe(latest.id)
  })

  test('is found for several merge requests at once', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const own = await addMergeRequest(engine)
    const ofBranch = await addMergeRequest(engine, { source_branch: 'other' })
    const none = await addMergeRequest(engine, { source_branch: 'none' })
    const empty = await addMergeRequest(engine, { source_branch: 'empty', head_sha: null })
    const first = await pipelineOfMergeRequest(engine, own, FILE)
    const second = await pipelineOf(engine, FILE, { ref: 'other', sha: SHA })
    const found = await findHeadPipelines(database, [own.id, ofBranch.id, none.id, empty.id])
    expect([...found].map(([id, pipeline]) => [id, pipeline.id])).toEqual([
      [own.id, first.id],
      [ofBranch.id, second.id],
    ])
    expect(await findHeadPipelines(database, [])).toEqual(new Map())
  })
})
