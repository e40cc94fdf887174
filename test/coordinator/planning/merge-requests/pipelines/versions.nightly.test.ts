import { expect, test } from 'vitest'

import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { RefreshListeners } from '../../../../../src/coordinator/planning/merge-requests/refresh/listeners.js'
import { mergeRequestListeners } from '../../../../../src/coordinator/start/services/merge-request-listeners.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { type GitRecord, gitSceneForFile } from '../git-scene.js'

const openGitScene = gitSceneForFile()

const FILE = `
docs: {script: x, rules: [{if: $CI_MERGE_REQUEST_IID, changes: ["docs/*"]}]}
code: {script: x, rules: [{if: $CI_MERGE_REQUEST_IID, changes: ["src/*"]}]}
`

/** With the listeners of a coordinator, and a CI file with jobs for merge requests on `main`. */
async function openScene(open: OpenDatabase) {
  const listeners: RefreshListeners = {}
  const scene = await openGitScene(open, listeners)
  Object.assign(listeners, mergeRequestListeners(scene.services.engine, scene.services.repositories))
  await scene.commit({ '.gitlab-ci.yml': FILE }, { branch: 'main' })
  return { ...scene, listeners }
}

type Scene = Awaited<ReturnType<typeof openScene>>

function pipelinesOf({ database }: Scene, { id }: GitRecord): Promise<PipelineRow[]> {
  return database
    .selectFrom('pipeline')
    .selectAll()
    .where('merge_request_id', '=', id)
    .orderBy('id')
    .execute()
}

async function jobsOf({ database }: Scene, { id }: PipelineRow): Promise<string[]> {
  const jobs = await database
    .selectFrom('job')
    .select('name')
    .where('pipeline_id', '=', id)
    .orderBy('id')
    .execute()
  return jobs.map(({ name }) => name)
}

describeOnDatabase('a merge request', (open) => {
  test('gets a pipeline when it is opened and for each push, by who did it, with jobs for its whole diff', async () => {
    const scene = await openScene(open)
    const { commit, make, refresh, show, ada } = scene
    const bob = await scene.person('bob')
    await scene.ok(`POST ${scene.P}/members`, { user_id: bob.id, access_level: 30 })
    const first = await commit({ 'docs/a.md': '1\n' }, { branch: 'x', from: 'main' })
    const made = await make('x')
    await refresh()
    const second = await commit({ 'src/a.ts': '1\n' }, { branch: 'x', as: bob })
    await refresh()
    await commit({ 'src/b.ts': '1\n' }, { branch: 'main' })
    await refresh()
    const pipelines = await pipelinesOf(scene, made)
    expect(pipelines).toMatchObject([
      { sha: first, user_id: ada.id, source: 'merge_request_event', ref: 'refs/merge-requests/1/head' },
      { sha: second, user_id: bob.id },
    ])
    expect(await Promise.all(pipelines.map((pipeline) => jobsOf(scene, pipeline)))).toEqual([
      ['docs'],
      ['docs', 'code'],
    ])
    expect(await show(1)).toMatchObject({
      head_pipeline: { id: pipelines[1]?.id, sha: second, user: { username: 'bob' } },
      pipeline: { id: pipelines[1]?.id },
    })
    expect(await scene.git('rev-parse', `refs/pipelines/${pipelines[1]?.id}`)).toBe(second)
  })

  test('gets one pipeline for a version, also if the coordinator stops before it has recorded that', async () => {
    const scene = await openScene(open)
    const { listeners } = scene
    const afterVersion = listeners.afterVersion
    let times = 0
    listeners.afterVersion = async (change) => {
      await afterVersion?.(change)
      if (times++ === 0) throw new Error('stopped')
    }
    await scene.commit({ 'docs/a.md': '1\n' }, { branch: 'x', from: 'main' })
    const made = await scene.make('x')
    await expect(scene.refresh()).rejects.toThrow('stopped')
    await scene.refresh()
    expect(times).toBe(2)
    expect(await pipelinesOf(scene, made)).toHaveLength(1)
  })

  test('gets no second pipeline when it is closed and opened again, unless it has new commits', async () => {
    const scene = await openScene(open)
    const { commit, ok, refresh, P } = scene
    await commit({ 'docs/a.md': '1\n' }, { branch: 'x', from: 'main' })
    const made = await scene.make('x')
    await refresh()
    const closeAndReopen = async (meanwhile: () => Promise<unknown>) => {
      await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' })
      await meanwhile()
      await refresh()
      await ok(`PUT ${P}/merge_requests/1`, { state_event: 'reopen' })
      await refresh()
    }
    await closeAndReopen(() => Promise.resolve())
    expect(await pipelinesOf(scene, made)).toHaveLength(1)
    await closeAndReopen(() => commit({ 'docs/b.md': '2\n' }, { branch: 'x' }))
    expect(await pipelinesOf(scene, made)).toHaveLength(2)
  })
})
