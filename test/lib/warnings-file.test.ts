import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readWarnings, WarningsFile } from '../../src/lib/warnings-file.js'
import { tempDir } from '../support/temp-dir.js'

test('the last lines are kept, in files of limited size that only their owner can read', async () => {
  const path = join(await tempDir(), 'warnings.log')
  const line = (number: number) => `${String(number).padEnd(1023, '.')}\n`
  for (let number = 0; number < 1000; number += 1) new WarningsFile(path).add(line(number))
  const lines = (await readWarnings(path)).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(256)
  expect(lines.length).toBeLessThanOrEqual(513)
  expect(`${lines.at(-1)}\n`).toBe(line(999))
  expect(`${lines[0]}\n`).toBe(line(1000 - lines.length))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a line that cannot be written stops nobody, and there are no lines without a file', async () => {
  const path = join(await tempDir(), 'missing', 'warnings.log')
  new WarningsFile(path).add('line\n')
  expect(await readWarnings(path)).toBe('')
})
