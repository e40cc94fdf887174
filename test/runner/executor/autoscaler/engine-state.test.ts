import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { engineState } from '../../../../src/runner/executor/docker/autoscaler/plugins/engine-process.js'
import { tempDir } from '../../../support/temp-dir.js'

test('an engine is absent until it has a process, and has ended if its start was cut off', async () => {
  const folder = join(await tempDir(), 'ci-0000000a')
  expect(await engineState(folder)).toBe('absent')
  await mkdir(folder)
  expect(await engineState(folder)).toBe('absent')
  const before = new Date(Date.now() - 60_000)
  await utimes(folder, before, before)
  expect(await engineState(folder)).toBe('ended')
  await writeFile(join(folder, 'pid'), '4194305')
  expect(await engineState(folder)).toBe('ended')
})
