import { expect, test } from 'vitest'

import { endedJobs, endedPipelines } from '../../../../../src/coordinator/ci/pipelines/statistics/store.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { fail, openEngine, pipelineOf, succeed, takeJob } from '../../engine/support/engine.js'

describeOnDatabase('the statistics of pipelines', (open) => {
  test('read ended pipelines of the period with the ended runs of their jobs', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const projectId = engine.project.id
    const CI_FILE = 'a: { script: x }\nb: { script: x }'
    const failed = await pipelineOf(engine, CI_FILE)
    await fail(engine, await takeJob(engine, 'a'))
    await succeed(engine, await takeJob(engine, 'b'))
    const old = await pipelineOf(engine, CI_FILE)
    await succeed(engine, await takeJob(engine, 'a'))
    await succeed(engine, await takeJob(engine, 'b'))
    await database.updateTable('pipeline').set({ created_at: 1 }).where('id', '=', old.id).execute()
    await pipelineOf(engine, CI_FILE)

    const all = await endedPipelines(database, { projectId, ref: 'main', from: 0 })
    expect(all).toMatchObject({
      pipelines: [
        { id: old.id, status: 'success' },
        { id: failed.id, status: 'failed', ref: 'main' },
      ],
      more: false,
    })
    const recent = await endedPipelines(database, { projectId, ref: undefined, from: 2 })
    expect(recent.pipelines.map(({ id }) => id)).toEqual([failed.id])
    expect((await endedPipelines(database, { projectId, ref: 'other', from: 0 })).pipelines).toEqual([])

    const jobs = await endedJobs(database, [failed.id])
    const byName = jobs.toSorted((one, other) => one.name.localeCompare(other.name))
    expect(byName).toMatchObject([
      { name: 'a', isSuccess: false, pipeline_id: failed.id },
      { name: 'b', isSuccess: true, pipeline_id: failed.id },
    ])
  })
})
