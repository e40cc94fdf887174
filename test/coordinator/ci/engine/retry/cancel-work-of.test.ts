import { expect, test } from 'vitest'

import {
  cancelWorkIn,
  cancelWorkInMarkedProjects,
} from '../../../../../src/coordinator/ci/engine/retry/cancel-work-of.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { nextJob, openEngine, pipelineOf, statusesOf } from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'

const FILE = `
stages: [build, test]
a: { stage: build, script: x }
b: { stage: test, script: x }
ask: { stage: build, script: x, when: manual }
`
const UNDER_WAY = { pipeline: 'running', jobs: { a: 'running', b: 'created', ask: 'manual' } }
const CANCELED = { pipeline: 'canceled', jobs: { a: 'canceled', b: 'canceled', ask: 'canceled' } }

describeOnDatabase('work in a project', (open) => {
  test('is canceled as far as it is under way, and may be canceled again', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, FILE)
    await nextJob(engine, engine.runner, {})
    await cancelWorkIn(engine.deps, engine.project.id + 1)
    expect(await statusesOf(engine, pipeline)).toEqual(UNDER_WAY)
    await cancelWorkIn(engine.deps, engine.project.id)
    await cancelWorkIn(engine.deps, engine.project.id)
    expect(await statusesOf(engine, pipeline)).toEqual(CANCELED)
    await expectConsistentStore(engine)
  })

  test('is canceled later where whoever marked it for deletion was cut off', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, FILE)
    await nextJob(engine, engine.runner, {})
    await cancelWorkInMarkedProjects(engine.deps)
    expect(await statusesOf(engine, pipeline)).toEqual(UNDER_WAY)
    await database.updateTable('project').set({ marked_for_deletion_at: 1 }).execute()
    await cancelWorkInMarkedProjects(engine.deps)
    expect(await statusesOf(engine, pipeline)).toEqual(CANCELED)
    await expectConsistentStore(engine)
  })
})
