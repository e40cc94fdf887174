import { expect, test } from 'vitest'

import { createPipelineForMergeRequest } from '../../../../../src/coordinator/ci/engine/create/create-for-merge-request.js'
import { createPipeline } from '../../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { MergeRequestRow } from '../../../../../src/coordinator/ci/engine/merge-request-store.js'
import type { PipelineRow, ProjectRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { createPipelineOfVersion } from '../../../../../src/coordinator/planning/merge-requests/pipelines/create-pipeline.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { NO_SHA, SHA } from '../../../ci/engine/support/fake-repositories.js'
import { addVersion } from '../../../ci/engine/support/merge-requests.js'
import { pipelineSceneForFile } from './scene.js'

const openPipelineScene = pipelineSceneForFile()

type Scene = Awaited<ReturnType<typeof openPipelineScene>>

const REPORTER = 20
const DEVELOPER = 30
const OTHER_SHA = 'e'.repeat(40)
const FORBIDDEN = [403, { message: '403 Forbidden' }]

async function runOf(
  { engine, project: target, root, rowOf }: Scene,
  mergeRequest: MergeRequestRow,
  project: ProjectRow = target,
): Promise<PipelineRow> {
  const wanted = { mergeRequest, project, user: await rowOf(root), mayRepeat: true }
  const creation = await createPipelineForMergeRequest(engine, wanted)
  if (creation.kind === 'refused') throw new Error(creation.message)
  return creation.pipeline
}

async function push(
  { engine, project: target, root, rowOf }: Scene,
  ref: string,
  sha: string,
  project: ProjectRow = target,
): Promise<PipelineRow> {
  const creation = await createPipeline(engine, {
    project,
    user: await rowOf(root),
    ref,
    refType: 'branch',
    sha,
    beforeSha: NO_SHA,
    source: 'push',
  })
  if (creation.kind === 'refused') throw new Error(creation.message)
  return creation.pipeline
}

function pipelinesIn({ database }: Scene, { id }: MergeRequestRow): Promise<PipelineRow[]> {
  return database
    .selectFrom('pipeline')
    .selectAll()
    .where('merge_request_id', '=', id)
    .orderBy('id')
    .execute()
}

describeOnDatabase('the pipelines of a merge request', (open) => {
  test('are its own ones and those of the source branch for its heads, newest first', async () => {
    const scene = await openPipelineScene(open)
    const { call, P } = scene
    const row = await scene.add()
    const other = await scene.add({ source_branch: 'other' })
    const ofBranch = await push(scene, 'feature', SHA)
    await push(scene, 'feature', OTHER_SHA)
    await push(scene, 'main', SHA)
    const first = await runOf(scene, row)
    await runOf(scene, other)
    const second = await runOf(scene, await addVersion({ deps: scene }, row, 'd'.repeat(40)))
    const [status, listed] = await call(`GET ${P}/${row.iid}/pipelines`)
    expect([status, (listed as { id: number }[]).map(({ id }) => id)]).toEqual([
      200,
      [second.id, first.id, ofBranch.id],
    ])
    expect(listed).toMatchObject([
      {
        id: second.id,
        project_id: scene.project.id,
        ref: `refs/merge-requests/${row.iid}/head`,
        sha: 'd'.repeat(40),
        source: 'merge_request_event',
      },
      { id: first.id },
      { ref: 'feature', source: 'push' },
    ])
    expect((await call(`GET ${P}/0/pipelines`))[0]).toBe(404)
    const [, found] = await call(`GET /projects/${scene.project.id}/pipelines?source=merge_request_event`)
    expect(found).toHaveLength(3)
  })

  test('are shown to those who may see them in the project that runs them', async () => {
    const scene = await openPipelineScene(open)
    const { call, P } = scene
    const fork = await scene.newProject('private')
    const row = await scene.add({ source_project_id: fork.id })
    const hidden = await runOf(scene, row, fork)
    const ann = await scene.person('ann', [[fork, REPORTER]])
    const idsFor = async (person: typeof ann | null) => {
      const [, listed] = await call(`GET ${P}/${row.iid}/pipelines`, person)
      return (listed as { id: number }[]).map(({ id }) => id)
    }
    const headFor = async (person: typeof ann | null) => {
      const [, record] = await call(`GET ${P}/${row.iid}`, person)
      return record as { head_pipeline: { id: number } | null; pipeline: { id: number } | null }
    }
    expect(await idsFor(null)).toEqual([])
    expect(await idsFor(ann)).toEqual([hidden.id])
    expect(await headFor(null)).toMatchObject({ head_pipeline: null, pipeline: null })
    expect(await headFor(ann)).toMatchObject({
      head_pipeline: { id: hidden.id },
      pipeline: { id: hidden.id },
    })
    const visible = await runOf(scene, row)
    expect(await idsFor(null)).toEqual([visible.id])
    expect((await headFor(null)).head_pipeline).toMatchObject({
      id: visible.id,
      status: 'pending',
      detailed_status: { text: 'Pending' },
    })
  })
})

test('a merge request whose project demands a successful pipeline waits for it', async () => {
  const scene = await openPipelineScene()
  const { database, call, P } = scene
  const row = await scene.add({ merge_status: 'can_be_merged' })
  const statusOf = async () => {
    const [, record] = await call(`GET ${P}/${row.iid}`)
    return (record as { detailed_merge_status: string }).detailed_merge_status
  }
  expect(await statusOf()).toBe('mergeable')
  await database.updateTable('project').set({ only_allow_merge_if_pipeline_succeeds: true }).execute()
  expect(await statusOf()).toBe('ci_must_pass')
  const pipeline = await runOf(scene, row)
  expect(await statusOf()).toBe('ci_still_running')
  for (const [status, expected] of [
    ['failed', 'ci_must_pass'],
    ['success', 'mergeable'],
  ] as const) {
    await database.updateTable('pipeline').set({ status }).where('id', '=', pipeline.id).execute()
    expect(await statusOf()).toBe(expected)
  }
})

describeOnDatabase('a user who asks for a pipeline of a merge request', (open) => {
  test('gets one in the target project as its developer, as often as he wants', async () => {
    const scene = await openPipelineScene(open)
    const fork = await scene.newProject('public')
    const ann = await scene.person('ann', [
      [scene.project, DEVELOPER],
      [fork, DEVELOPER],
    ])
    for (const row of [await scene.add(), await scene.add({ source_project_id: fork.id })]) {
      for (let round = 0; round < 2; round++) {
        const [status, record] = await scene.call(`POST ${scene.P}/${row.iid}/pipelines`, ann)
        expect(status).toBe(200)
        expect(record).toMatchObject({
          project_id: scene.project.id,
          source: 'merge_request_event',
          ref: `refs/merge-requests/${row.iid}/head`,
          status: 'pending',
          user: { username: 'ann' },
        })
      }
      expect(await pipelinesIn(scene, row)).toHaveLength(2)
    }
  })

  test('gets one in the fork as its developer alone', async () => {
    const scene = await openPipelineScene(open)
    const fork = await scene.newProject('public')
    const row = await scene.add({ source_project_id: fork.id })
    const ann = await scene.person('ann', [[fork, DEVELOPER]])
    const [status, record] = await scene.call(`POST ${scene.P}/${row.iid}/pipelines`, ann)
    expect([status, record]).toMatchObject([200, { project_id: fork.id, user: { username: 'ann' } }])
  })

  test('is refused without the role of a developer in either project', async () => {
    const scene = await openPipelineScene(open)
    const fork = await scene.newProject('public')
    const row = await scene.add({ source_project_id: fork.id })
    const ann = await scene.person('ann', [
      [scene.project, REPORTER],
      [fork, REPORTER],
    ])
    expect(await scene.call(`POST ${scene.P}/${row.iid}/pipelines`, ann)).toEqual(FORBIDDEN)
    expect((await scene.call(`POST ${scene.P}/${row.iid}/pipelines`, null))[0]).toBe(401)
    expect(await pipelinesIn(scene, row)).toEqual([])
  })

  test('receives the reason why there is none', async () => {
    const scene = await openPipelineScene(open)
    const row = await scene.add()
    const ask = () => scene.call(`POST ${scene.P}/${row.iid}/pipelines`)
    scene.repositories.ciFile = 'job: {script: x}'
    expect(await ask()).toEqual([
      400,
      {
        message: {
          base: [
            'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.',
          ],
        },
      },
    ])
    scene.repositories.ciFile = undefined
    expect(await ask()).toEqual([400, { message: { base: ['Missing CI config file'] } }])
    await scene.database.updateTable('merge_request_version').set({ commit_count: 0 }).execute()
    expect(await ask()).toEqual([405, { message: '405 Method Not Allowed' }])
  })
})

describeOnDatabase('a new version of a merge request', (open) => {
  test('gets one pipeline, in the project of the source branch', async () => {
    const scene = await openPipelineScene(open)
    const { engine, root } = scene
    const fork = await scene.newProject('public')
    const rows = [await scene.add(), await scene.add({ source_project_id: fork.id })]
    for (const row of rows) {
      await createPipelineOfVersion(engine, row, root.id)
      await createPipelineOfVersion(engine, row, root.id)
    }
    const own = await Promise.all(rows.map((row) => pipelinesIn(scene, row)))
    expect(own.map((pipelines) => pipelines.map(({ project_id }) => project_id))).toEqual([
      [scene.project.id],
      [fork.id],
    ])
  })

  test('gets no pipeline if it has no commits, is closed or has lost its fork', async () => {
    const scene = await openPipelineScene(open)
    const closed = await scene.add({ state: 'closed' })
    const lost = await scene.add({ source_project_id: null })
    const unknown = await scene.add({ head_sha: null, source_branch: 'x' })
    for (const row of [closed, lost, unknown]) {
      await createPipelineOfVersion(scene.engine, row, scene.root.id)
      expect(await pipelinesIn(scene, row)).toEqual([])
    }
    const empty = await scene.add()
    await scene.database.updateTable('merge_request_version').set({ commit_count: 0 }).execute()
    await createPipelineOfVersion(scene.engine, empty, scene.root.id)
    expect(await pipelinesIn(scene, empty)).toEqual([])
  })

  test('gets no pipeline by a user who may not run any', async () => {
    const scene = await openPipelineScene(open)
    const row = await scene.add()
    const ann = await scene.person('ann', [[scene.project, REPORTER]])
    await createPipelineOfVersion(scene.engine, row, ann.id)
    expect(await pipelinesIn(scene, row)).toEqual([])
  })
})
