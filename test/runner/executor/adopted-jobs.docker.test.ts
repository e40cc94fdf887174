import { describe, expect, test } from 'vitest'

import type { EnvironmentRecord, JobEnvironment } from '../../../src/runner/executor/executor.js'
import { busyboxImage } from '../../support/docker-image.js'
import { testAtNight } from '../../support/nightly.js'
import { type Bench, NEVER, openBench, openEnvironment, RecordedLog } from './docker-jobs.js'
import { type EngineDoor, openEngineDoor } from './engine-door.js'

/** A runner that is cut off from its engine in the middle of a script, and what it had noted before. */
interface CutOff {
  bench: Bench
  record: EnvironmentRecord
}

const COUNTED =
  'i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; printf "\\303\\050 \\342\\202 odd\\r\\n"'

async function cutOffDuring(script: string, when: string): Promise<CutOff> {
  const door = await openEngineDoor()
  const bench = await openBench({ image: await busyboxImage() })
  const { record, environment } = await begin(bench, door, script, when)
  door.shut()
  await environment.gone
  return { bench, record }
}

async function begin(bench: Bench, door: EngineDoor, script: string, when: string) {
  const log = new RecordedLog()
  const killed = await openBench({ ...bench.settings, host: door.host, engineAwaySeconds: 0 })
  const environment = await openEnvironment({ ...bench, executor: killed.executor }, log)
  await environment.run(await bench.script('echo first stage'), log, NEVER)
  let record: EnvironmentRecord = {}
  const running = environment.run(await bench.script(script), log, NEVER, async () => {
    record = environment.record
  })
  const gone = expect(running).rejects.toThrow('does not respond')
  await log.seen(when)
  return { record, environment: { gone } }
}

async function adopt({ bench, record }: CutOff): Promise<JobEnvironment> {
  const environment = await bench.executor.adopt(
    bench.job(),
    JSON.parse(JSON.stringify(record)) as EnvironmentRecord,
    new RecordedLog(),
  )
  environment.open(() => bench.place)
  return environment
}

describe('a job of a killed runner', () => {
  test('continues while it runs, with its output from the first byte and its exit code', async () => {
    const cutOff = await cutOffDuring(
      `${COUNTED}; echo ready; sleep 2; ${COUNTED}; printf end; exit 3`,
      'ready',
    )
    const environment = await adopt(cutOff)
    const log = new RecordedLog()
    await expect(environment.resume({ name: 'script' }, log, NEVER)).resolves.toEqual({ exitCode: 3 })
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join('')
    const odd = Buffer.from([0xc3, 0x28, 0x20, 0xe2, 0x82]).toString('utf8')
    expect(log.text).toBe(`${lines}${odd} odd\r\nready\n${lines}${odd} odd\r\nend`)
    await environment.cleanUp()
  })

  testAtNight('is followed while it runs, and ends although it leaves processes behind', async () => {
    const cutOff = await cutOffDuring(
      'sleep 1000 & echo ready; while [ ! -e /builds/scripts/go ]; do sleep 0.01; done; echo end; exit 5',
      'ready',
    )
    const environment = await adopt(cutOff)
    const log = new RecordedLog()
    const resumed = environment.resume({ name: 'script' }, log, NEVER)
    await log.seen('ready\n')
    await cutOff.bench.touch('go')
    await expect(resumed).resolves.toEqual({ exitCode: 5 })
    expect(log.text).toBe('ready\nend\n')
    await environment.cleanUp()
  })

  test('is collected if it has ended, and runs its next stage', async () => {
    const cutOff = await cutOffDuring('echo ready; echo kept >/kept; exit 4', 'ready')
    const environment = await adopt(cutOff)
    const log = new RecordedLog()
    await expect(environment.resume({ name: 'script' }, log, NEVER)).resolves.toEqual({ exitCode: 4 })
    expect(log.text).toBe('ready\n')
    await environment.run(await cutOff.bench.script('cat /kept'), log, NEVER)
    expect(log.text).toBe('ready\nkept\n')
    await environment.cleanUp()
  })

  testAtNight('is started if it had not started', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const first = await openEnvironment(bench)
    let record: EnvironmentRecord = {}
    const stopped = new Error('killed')
    const running = first.run(await bench.script('echo once'), new RecordedLog(), NEVER, async () => {
      record = first.record
      throw stopped
    })
    await expect(running).rejects.toBe(stopped)
    const environment = await adopt({ bench, record })
    const log = new RecordedLog()
    await expect(environment.resume({ name: 'script' }, log, NEVER)).resolves.toEqual({ exitCode: 0 })
    expect(log.text).toBe('once\n')
    await environment.cleanUp()
  })

  test('is stopped if it was canceled', async () => {
    const cutOff = await cutOffDuring('echo ready; sleep 1000', 'ready')
    const environment = await adopt(cutOff)
    const signal = AbortSignal.abort(new Error('canceled'))
    await expect(environment.resume({ name: 'script' }, new RecordedLog(), signal)).rejects.toThrow(
      'canceled',
    )
    await environment.cleanUp()
  })

  testAtNight('fails if its container was removed', async () => {
    const cutOff = await cutOffDuring('echo ready; sleep 1000', 'ready')
    await cutOff.bench.executor.removeLeftovers(new Set())
    const environment = await adopt(cutOff)
    await expect(environment.resume({ name: 'script' }, new RecordedLog(), NEVER)).rejects.toMatchObject({
      reason: 'runner_system_failure',
      message: 'The container of the job was removed by another process',
    })
  })
})
