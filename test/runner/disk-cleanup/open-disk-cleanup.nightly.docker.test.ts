import Docker from 'dockerode'
import { expect, test } from 'vitest'

import { Gate } from '../../../src/lib/gate.js'
import { createLogger } from '../../../src/lib/logger.js'
import { openDiskCleanup } from '../../../src/runner/disk-cleanup/open-disk-cleanup.js'
import { createDockerExecutor } from '../../../src/runner/executor/docker/docker-executor.js'
import { JobSlots } from '../../../src/runner/poller/job-slots.js'
import { Poller } from '../../../src/runner/poller/poller.js'
import { busyboxImage } from '../../support/docker-image.js'
import { startRegistry } from '../../support/registry.js'
import { runnerRegistration } from '../../support/running-runner.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER, openBench, RecordedLog } from '../executor/docker-jobs.js'

const logger = createLogger('test', 'silent')
const DAY = 24 * 3_600_000

test.each([
  ['of the settings', true],
  ['that came with changed settings', false],
])(
  'at an engine %s, images and volumes of jobs are deleted above the mark, older ones are kept',
  async (_, isKnown) => {
    const registry = await startRegistry()
    const volumes = [{ kind: 'cache' as const, containerPath: '/kept' }]
    const bench = await openBench({ image: await busyboxImage(), volumes })
    let now = Date.now()
    const one = { kind: 'amount' as const, bytes: 1 }
    const { usageOf, diskCleanup } = await openDiskCleanup(
      {
        dataDir: await tempDir(),
        systemId: bench.settings.systemId,
        runners: isKnown ? [runnerRegistration('http://127.0.0.1', { docker: bench.settings })] : [],
        disk: { marks: { high: one, low: { ...one, bytes: 0 } }, floorBytes: 0, intervalSeconds: 60 },
      },
      logger,
      () => now,
    )
    const executor = createDockerExecutor(bench.settings, logger, usageOf(bench.settings))
    const name = await registry.push('group/image:1', { name: 'file', content: 'x'.repeat(10_000) })
    const pulled = { name, pull_policy: ['if-not-present'] }
    await (await executor.prepare(bench.job({ image: pulled }), new RecordedLog(), NEVER)).cleanUp()
    const environment = await executor.prepare(bench.job(), new RecordedLog(), NEVER)
    environment.open(() => bench.place)
    await environment.run(await bench.script('echo kept >/kept/file'), new RecordedLog(), NEVER)
    now += DAY
    await diskCleanup.runOnce(NEVER)
    const docker = new Docker()
    await expect(docker.getImage(name).inspect()).rejects.toMatchObject({ statusCode: 404 })
    expect(await bench.containers()).toEqual([
      expect.stringMatching(/^container/),
      expect.stringMatching(/^volume/),
    ])
    await environment.cleanUp()
    now += DAY
    await diskCleanup.runOnce(NEVER)
    expect(await bench.containers()).toEqual([])
    expect(diskCleanup.status.removed.count).toBe(2)
    expect((await docker.getImage(await busyboxImage()).inspect()).Id).toMatch(/^sha256:/)
  },
)

test('a runner with a full disk requests no jobs until space is free', async () => {
  const gate = new Gate()
  gate.close('the disk is full')
  const abort = new AbortController()
  const requests: number[] = []
  const poller = new Poller(
    {
      client: {
        requestJob: () => {
          requests.push(Date.now())
          abort.abort()
          return Promise.resolve({ kind: 'none' as const })
        },
      },
      slots: new JobSlots(1),
      gate: {
        passed: async (signal) => {
          const passing = gate.passed(signal)
          expect(requests).toEqual([])
          gate.open()
          await passing
        },
      },
      dispatch: () => Promise.resolve(),
      onRest: () => {},
      logger: () => logger,
    },
    { registration: runnerRegistration('http://127.0.0.1'), checkInterval: 1 },
  )
  await poller.run(abort.signal)
  expect(requests).toHaveLength(1)
})
