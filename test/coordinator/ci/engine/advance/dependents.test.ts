import { expect, test } from 'vitest'

import { describeOnEachDatabase } from '../../../../support/databases.js'
import { openEngine, pipelineOfPlan, statusesOf, succeed, takeJob } from '../support/engine.js'
import { planOf, type PlanSketch } from '../support/plan.js'

describeOnEachDatabase('a success', (open) => {
  test('makes pending what needs it and nothing else, and what others need waits', async () => {
    const engine = await openEngine(open)
    const sketch: PlanSketch = {
      a: {},
      b: {},
      first: { stage: 1, needs: ['a'] },
      both: { stage: 1, needs: ['a', 'b'] },
      second: { stage: 1, needs: ['first', 'a'] },
      later: { stage: 2 },
    }
    const pipeline = await pipelineOfPlan(engine, planOf(sketch))
    const other = await pipelineOfPlan(engine, planOf({ a: {}, first: { stage: 1, needs: ['a'] } }))

    await succeed(engine, await takeJob(engine, 'a'))

    const { jobs } = await statusesOf(engine, pipeline)
    expect(jobs).toMatchObject({ first: 'pending', both: 'created', second: 'created', later: 'created' })
    expect((await statusesOf(engine, other)).jobs['first']).toBe('created')

    await succeed(engine, await takeJob(engine, 'b'))
    await succeed(engine, await takeJob(engine, 'first'))
    expect((await statusesOf(engine, pipeline)).jobs).toMatchObject({ both: 'pending', second: 'pending' })
  })

  test('makes pending all that needs it, if that are many', async () => {
    const engine = await openEngine(open)
    const many = Array.from(
      { length: 60 },
      (_, index) => [`job ${index}`, { stage: 1, needs: ['a'] }] as const,
    )
    const pipeline = await pipelineOfPlan(engine, planOf({ a: {}, ...Object.fromEntries(many) }))
    await succeed(engine, await takeJob(engine, 'a'))
    const { jobs } = await statusesOf(engine, pipeline)
    expect(Object.values(jobs).filter((status) => status === 'pending')).toHaveLength(60)
  })

  test('skips what it rules out, and what needs that', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(
      engine,
      planOf({
        a: {},
        rescue: { stage: 1, when: 'on_failure', needs: ['a'] },
        report: { stage: 1, needs: ['rescue'] },
        play: { stage: 1, when: 'manual', needs: ['a'] },
      }),
    )
    await succeed(engine, await takeJob(engine, 'a'))
    const { jobs } = await statusesOf(engine, pipeline)
    expect(jobs).toMatchObject({ rescue: 'skipped', report: 'skipped', play: 'manual' })
  })
})
