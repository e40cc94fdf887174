import { expect, test } from 'vitest'

import {
  dependenciesOf,
  isDependency,
} from '../../../../../src/coordinator/ci/engine/dispatch/dependencies.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { JobRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { insertArtifact } from '../../../support/insert-artifact.js'
import { fail, jobNamed, openEngine, pipelineOf, takeJob } from '../support/engine.js'

const FILE = `
stages: [one, two, three]
a1: { stage: one, script: x }
a2: { stage: one, script: x }
b1: { stage: two, script: x }
b2: { stage: two, script: x, needs: [a1, { job: a2, artifacts: false }] }
all: { stage: three, script: x }
some: { stage: three, script: x, dependencies: [a2, b1] }
none: { stage: three, script: x, dependencies: [] }
at-once: { stage: three, script: x, needs: [] }
beside: { stage: three, script: x, needs: [all, a1] }
both: { stage: three, script: x, needs: [a1, b1], dependencies: [b1] }
`

/** CI language, 16.2. */
const cases: [job: string, fetched: string[]][] = [
  ['a1', []],
  ['b1', ['a1', 'a2']],
  ['b2', ['a1']],
  ['all', ['a1', 'a2', 'b1', 'b2']],
  ['some', ['a2', 'b1']],
  ['none', []],
  ['at-once', []],
  ['beside', ['a1', 'all']],
  ['both', ['b1']],
]

describeOnDatabase('the artifacts that a job fetches', (open) => {
  test('are those of earlier stages, of its needs or of its dependencies', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, FILE)
    await engine.deps.database.updateTable('job').set({ has_outputs: true }).execute()
    for (const [name, fetched] of cases) {
      const dependencies = await dependenciesOf(engine.deps, await jobNamed(engine, pipeline, name))
      expect([name, dependencies.map((job) => job.name)]).toEqual([name, fetched])
    }
  })

  test('are asked of jobs that have stored some, and may be asked of every dependency', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, FILE)
    const [a1, a2, some, all] = await Promise.all(
      ['a1', 'a2', 'some', 'all'].map((name) => jobNamed(engine, pipeline, name)),
    )
    await insertArtifact(engine.deps.database, a1!)
    expect(await dependenciesOf(engine.deps, all!)).toEqual([{ id: a1!.id, name: 'a1' }])
    expect(await dependenciesOf(engine.deps, some!)).toEqual([])
    expect(await isDependency(engine.deps, some!, a2!)).toBe(true)
    expect(await isDependency(engine.deps, some!, a1!)).toBe(false)
    expect(await isDependency(engine.deps, a1!, all!)).toBe(false)
  })

  test('are those of the latest attempts', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, FILE)
    const taken = await takeJob(engine, 'a1')
    await fail(engine, taken)
    const attempt = (await retryJob(engine.deps, taken.job, engine.user)) as JobRow
    await engine.deps.database.updateTable('job').set({ has_outputs: true }).execute()
    const dependencies = await dependenciesOf(engine.deps, await jobNamed(engine, pipeline, 'b2'))
    expect(dependencies.map((job) => job.id)).toEqual([attempt.id])
  })
})
