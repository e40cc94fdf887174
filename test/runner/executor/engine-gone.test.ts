import { expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { NEVER, openBench, RecordedLog, runScripts } from './docker-jobs.js'
import { openEngineDoor } from './engine-door.js'

test('an engine that is gone before the job is a failure of the system', async () => {
  const door = await openEngineDoor()
  const bench = await openBench({ image: await busyboxImage(), host: door.host })
  door.shut()
  await expect(runScripts(bench, ['echo never'])).rejects.toMatchObject({
    reason: 'runner_system_failure',
    message: expect.stringContaining(
      'The Docker engine does not answer while looking for the image',
    ) as string,
  })
  door.open()
})

test('an engine that goes while the job runs is a failure of the system', async () => {
  const door = await openEngineDoor()
  const bench = await openBench({ image: await busyboxImage(), host: door.host })
  const log = new RecordedLog()
  const environment = await bench.executor.prepare(bench.job(), log, NEVER)
  const running = environment.run(await bench.script('echo ready; sleep 1000'), log, NEVER)
  await log.seen('ready')
  door.shut()
  await expect(running).rejects.toMatchObject({
    reason: 'runner_system_failure',
    message: expect.stringContaining('The Docker engine does not answer while the job ran') as string,
  })
  door.open()
  await environment.cleanUp()
})
