import { expect, test } from 'vitest'

import { deletedPipelines } from '../../../../src/coordinator/ci/engine/pipeline-store.js'
import { deletePipelineRows } from '../../../../src/coordinator/ci/pipelines/store.js'
import { deleteProjectRow } from '../../../../src/coordinator/hosting/projects/store.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { concurrentCoordinator, nextJob, openEngine, pipelineOf, takeJob } from './support/engine.js'

const TWO_JOBS = `
a: { script: x }
b: { script: x }
`

describeOnDatabase('a pipeline with a running and a waiting job', (open) => {
  test('can be deleted, and no runner is given its jobs any more', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, TWO_JOBS)
    await takeJob(engine, 'a')
    await deletePipelineRows(engine.deps.database, [pipeline.id])
    expect(await nextJob(engine)).toBeUndefined()
    expect(await engine.deps.database.selectFrom('queue_entry').selectAll().execute()).toEqual([])
  })

  test('can be deleted by two people at once', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, TWO_JOBS)
    const other = concurrentCoordinator(engine).database
    await Promise.all([database, other].map((each) => deletePipelineRows(each, [pipeline.id])))
    expect(await database.selectFrom('pipeline').select('id').execute()).toEqual([])
    // Their files are still to be deleted.
    expect(await database.selectFrom('removed_job').select('job_id').execute()).toHaveLength(2)
  })

  test('is known to be deleted when it is below one that has been there for a day', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const [first, second, third] = [
      await pipelineOf(engine, TWO_JOBS),
      await pipelineOf(engine, TWO_JOBS),
      await pipelineOf(engine, TWO_JOBS),
    ]
    const ids = [first.id, second.id, third.id, third.id + 1]
    await deletePipelineRows(database, [first.id])
    const tomorrow = Date.now() + 25 * 3_600_000
    expect(await deletedPipelines(database, engine.project.id, ids)).toEqual([])
    expect(await deletedPipelines(database, engine.project.id, ids, tomorrow)).toEqual([first.id])
  })

  test('goes with its project', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, TWO_JOBS)
    await takeJob(engine, 'a')
    expect(await deleteProjectRow(engine.deps.database, engine.project.id)).toBe(true)
    expect(await nextJob(engine)).toBeUndefined()
    expect(await engine.deps.database.selectFrom('job').select('id').execute()).toEqual([])
  })
})
