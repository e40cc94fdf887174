import { expect, test } from 'vitest'

import { loadGraph } from '../../../../../src/coordinator/ci/engine/advance/graph-store.js'
import { findJobStates } from '../../../../../src/coordinator/ci/engine/advance/job-state-store.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import { describeOnEachDatabase, openSqlite } from '../../../../support/databases.js'
import { statementsOf, stepsOf } from '../../../../support/sqlite-plans.js'
import { fail, jobNamed, openEngine, pipelineOfPlan, succeed, takeJob } from '../support/engine.js'
import { planOf } from '../support/plan.js'

describeOnEachDatabase('the states of the jobs of pipelines', (open) => {
  test('are those of the latest jobs, each once, in the order of the stages', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const manual = await pipelineOfPlan(engine, planOf({ manual: { stage: 1, when: 'manual' } }))
    const plan = planOf({
      a: { stage: 1 },
      b: { stage: 1, allowFailure: true },
      c: { stage: 1 },
      d: { stage: 2 },
      e: { stage: 2, needs: ['a'] },
    })
    const pipeline = await pipelineOfPlan(engine, plan)
    await succeed(engine, await takeJob(engine, 'a'))
    await fail(engine, await takeJob(engine, 'b'))
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'b'), engine.user)

    const found = await findJobStates(database, [manual.id, pipeline.id])

    for (const { id } of [manual, pipeline]) {
      const jobs = await loadGraph(database, id)
      const expected = jobs.map(({ stageIndex, stageId, status, allowFailure, schedulingType }) =>
        JSON.stringify({ pipelineId: id, stageIndex, stageId, status, allowFailure, schedulingType }),
      )
      const states = found.filter(({ pipelineId }) => pipelineId === id)
      expect(new Set(states.map((state) => JSON.stringify(state)))).toEqual(new Set(expected))
      expect(states).toHaveLength(new Set(expected).size)
      const order = states.map(({ stageIndex }) => stageIndex)
      expect(order).toEqual([...order].sort((one, other) => one - other))
    }
    expect(new Set(found.map(({ pipelineId }) => pipelineId))).toEqual(new Set([manual.id, pipeline.id]))
  })
})

test('are found in SQLite without reading the jobs of a state', async () => {
  const { database } = await openSqlite()
  const [walk = ''] = await statementsOf((nothing) => findJobStates(nothing, [1]))
  expect(await stepsOf(database, walk)).toContainEqual(
    expect.stringContaining('(stage_index,stage_id,status,allow_failure,scheduling_type)>'),
  )
})
