import { expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { NEVER, openBench, openEnvironment, RecordedLog, runScripts } from './docker-jobs.js'
import { openEngineDoor } from './engine-door.js'

test('an unavailable engine before the job is a system failure', async () => {
  const door = await openEngineDoor()
  const bench = await openBench({ image: await busyboxImage(), host: door.host })
  door.shut()
  await expect(runScripts(bench, ['echo never'])).rejects.toMatchObject({
    reason: 'runner_system_failure',
    message: expect.stringContaining(
      'The Docker engine does not respond while looking up the image',
    ) as string,
  })
  door.open()
})

test('an engine that fails during the job and does not return is a system failure', async () => {
  const door = await openEngineDoor()
  const bench = await openBench({ image: await busyboxImage(), host: door.host, engineAwaySeconds: 0 })
  const log = new RecordedLog()
  const environment = await openEnvironment(bench, log)
  const running = environment.run(await bench.script('echo ready; sleep 1000'), log, NEVER)
  await log.seen('ready')
  door.shut()
  await expect(running).rejects.toMatchObject({
    reason: 'runner_system_failure',
    message: expect.stringContaining('The Docker engine does not respond while running the job') as string,
  })
  door.open()
  await environment.cleanUp()
})

test('a job survives a short outage of the engine with complete output', async () => {
  const door = await openEngineDoor()
  const bench = await openBench({ image: await busyboxImage(), host: door.host })
  const log = new RecordedLog()
  const environment = await openEnvironment(bench, log)
  const script =
    'i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; echo ready; sleep 2; printf end; exit 7'
  const running = environment.run(await bench.script(script), log, NEVER)
  await log.seen('ready')
  door.shut()
  door.open()
  await expect(running).resolves.toEqual({ exitCode: 7 })
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join('')
  expect(printed(log)).toBe(`${lines}ready\nend`)
  await environment.cleanUp()
})

/** Without what the executor says itself. */
function printed(log: RecordedLog): string {
  return log.text.slice(log.text.indexOf('line 0'))
}
