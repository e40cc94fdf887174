import { expect, test } from 'vitest'

import { cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { onlyDownstream, runBridgeTasks } from '../support/downstream.js'
import {
  fail,
  jobNamed,
  openEngine,
  pipelineOf,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'

const after = (strategy: string) => `
stages: [start, end]
child:
  stage: start
  trigger: { include: child.yml${strategy === 'none' ? '' : `, strategy: ${strategy}`} }
end: { stage: end, script: x }
`

/** What is done in the child, and how the trigger job and the job after it stand then. */
const ENDS: {
  name: string
  file?: string
  act: (engine: TestEngine, child: PipelineRow) => Promise<void>
  depend: [child: string, end: string]
  mirror: [child: string, end: string]
}[] = [
  { name: 'goes on', act: async () => {}, depend: ['running', 'created'], mirror: ['running', 'created'] },
  {
    name: 'runs',
    act: async (engine) => {
      await takeJob(engine, 'work')
    },
    depend: ['running', 'created'],
    mirror: ['running', 'created'],
  },
  {
    name: 'succeeds',
    act: async (engine) => succeed(engine, await takeJob(engine, 'work')),
    depend: ['success', 'pending'],
    mirror: ['success', 'pending'],
  },
  {
    name: 'fails',
    act: async (engine) => fail(engine, await takeJob(engine, 'work')),
    depend: ['failed', 'skipped'],
    mirror: ['failed', 'skipped'],
  },
  {
    name: 'is canceled',
    act: async (engine, child) => {
      await cancelPipeline(engine.deps, child)
    },
    depend: ['canceled', 'skipped'],
    mirror: ['canceled', 'skipped'],
  },
  {
    name: 'is skipped',
    file: 'work: { script: x, when: manual }',
    act: async () => {},
    depend: ['failed', 'skipped'],
    mirror: ['skipped', 'pending'],
  },
  {
    name: 'waits for somebody',
    file: 'work: { script: x, when: manual, allow_failure: false }',
    act: async () => {},
    depend: ['running', 'created'],
    mirror: ['manual', 'created'],
  },
  {
    name: 'waits for its time',
    file: 'work: { script: x, when: delayed, start_in: 1 hour }',
    act: async () => {},
    depend: ['running', 'created'],
    mirror: ['running', 'created'],
  },
]

describeOnDatabase('the status of a trigger job', (open) => {
  async function start(strategy: string, file = 'work: { script: x }') {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', file)
    const pipeline = await pipelineOf(engine, after(strategy))
    await runBridgeTasks(engine.deps)
    return { engine, pipeline, child: await onlyDownstream(engine, pipeline) }
  }

  test('a trigger job without a strategy is done as soon as its pipeline is there', async () => {
    const { engine, pipeline, child } = await start('none')
    expect(await statusesOf(engine, pipeline)).toEqual({
      pipeline: 'running',
      jobs: { child: 'success', end: 'pending' },
    })
    expect(await statusesOf(engine, child)).toEqual({ pipeline: 'pending', jobs: { work: 'pending' } })
  })

  for (const strategy of ['depend', 'mirror'] as const) {
    test.each(ENDS)(`while its pipeline $name (strategy ${strategy})`, async (row) => {
      const { engine, pipeline, child } = await start(strategy, row.file)
      await row.act(engine, child)
      await runBridgeTasks(engine.deps)
      const [bridge, end] = row[strategy]
      expect((await statusesOf(engine, pipeline)).jobs).toEqual({ child: bridge, end })
    })
  }

  test('a manual job that is played lets a trigger job go on that mirrors', async () => {
    const { engine, pipeline, child } = await start(
      'mirror',
      'work: { script: x, when: manual, allow_failure: false }',
    )
    expect((await statusesOf(engine, pipeline)).pipeline).toBe('manual')
    const mirroring = await jobNamed(engine, pipeline, 'child')
    expect(await playJob(engine.deps, mirroring, engine.user)).toBe('unplayable')
    await playJob(engine.deps, await jobNamed(engine, child, 'work'), engine.user)
    await runBridgeTasks(engine.deps)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ child: 'running', end: 'created' })
    await succeed(engine, await takeJob(engine, 'work'))
    await runBridgeTasks(engine.deps)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ child: 'success', end: 'pending' })
  })
})
