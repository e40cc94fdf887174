import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'

import { jobPayload } from '../support/job-payload.js'
import { runnerUnderTest } from '../support/running-runner.js'
import { tempDir } from '../support/temp-dir.js'

const isRoot = process.getuid?.() === 0

/** Only root may mount. */
test.skipIf(!isRoot)(
  'a job that fills the disk of the runner fails with the reason, and the next one runs',
  async () => {
    const dataDir = await smallDisk('1m')
    const { coordinator } = await runnerUnderTest({ settings: { dataDir } })
    const flood =
      'i=0; while [ $i -lt 40000 ]; do echo "a line of a log that is too long for the disk"; i=$((i+1)); done'
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script: [flood] }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({
      state: 'failed',
      failure_reason: 'runner_system_failure',
    })
    coordinator.offer(jobPayload({ id: 125, steps: [{ name: 'script', script: ['echo fits'] }] }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(coordinator.finalUpdate(125)).toMatchObject({ state: 'success' })
    expect(coordinator.trace(125)).toContain('fits\n')
  },
)

async function smallDisk(size: string): Promise<string> {
  const directory = join(await tempDir(), 'disk')
  await mkdir(directory)
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory])
  onTestFinished(async () => {
    await execa('umount', ['--lazy', directory])
  })
  return directory
}
