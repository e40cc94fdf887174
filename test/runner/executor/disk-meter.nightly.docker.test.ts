import { statfs } from 'node:fs/promises'

import Docker from 'dockerode'
import { expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { NEVER, openBench, openEnvironment, RecordedLog } from './docker-jobs.js'
import { openEngineDoor } from './engine-door.js'

/** Others use the disk. */
const MAX_DIFFERENCE = 2 * 1024 ** 3

test.each([
  { remote: true, isMeasured: true },
  { remote: false, isMeasured: false },
])('the disk of an engine is measured by a job: %j', async ({ remote, isMeasured }) => {
  const { host } = await openEngineDoor({ remote })
  const bench = await openBench({ image: await busyboxImage(), host })
  const log = new RecordedLog()
  const environment = await openEnvironment(bench, log)
  const running = environment.run(await bench.script('echo begun; sleep 3'), log, NEVER)
  await log.seen('begun')
  if (isMeasured) await expect.poll(() => bench.executor.freeDiskBytes).toBeDefined()
  await running
  await environment.cleanUp()
  const { executor } = bench
  if (!isMeasured) return expect(executor.freeDiskBytes).toBeUndefined()
  const { DockerRootDir: folder } = (await new Docker().info()) as { DockerRootDir: string }
  const { bavail, bsize } = await statfs(folder)
  expect(Math.abs((executor.freeDiskBytes ?? 0) - bavail * bsize)).toBeLessThan(MAX_DIFFERENCE)
})
