import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import {
  findArrivals,
  recordArrival,
} from '../../../../../src/coordinator/ci/storage/trace-index/arrival-times.js'
import { tempDir } from '../../../../support/temp-dir.js'

const TIME = 1_767_000_000_000

async function recorded(bytes: number[]): Promise<string> {
  const path = join(await tempDir(), '7.times')
  for (const [index, byte] of bytes.entries()) await recordArrival(path, { byte, time: TIME + index })
  return path
}

describe('arrival times', () => {
  test('a byte has the time of the patch that it is in', async () => {
    const path = await recorded([0, 10, 25, 1e12])
    const times = await findArrivals(path, [0, 9, 10, 24, 25, 26, 1e12 - 1, 1e12, 2e12])
    expect(times.map((time) => time && time - TIME)).toEqual([0, 0, 1, 1, 2, 2, 2, 3, 3])
  })

  test('a patch takes twelve bytes', async () => {
    const path = await recorded([0, 10, 25])
    expect(await readFile(path)).toHaveLength(8 + 3 * 12)
  })

  test('any byte of a long log is found', async () => {
    const patches = Array.from({ length: 600 }, (_none, index) => index * 7)
    const path = await recorded(patches)
    const times = await findArrivals(path, [700, 707, 3600, 4193])
    expect(times.map((time) => time && time - TIME)).toEqual([100, 101, 514, 599])
  })

  test('bytes before the first patch have no time', async () => {
    expect(await findArrivals(await recorded([10]), [0, 9, 10])).toEqual([undefined, undefined, TIME])
  })

  test('a log without a file has no times', async () => {
    expect(await findArrivals(join(await tempDir(), 'none'), [0, 1])).toEqual([undefined, undefined])
  })

  test('a record that was written in part is replaced', async () => {
    const path = await recorded([0, 10])
    await appendFile(path, 'part')
    expect(await findArrivals(path, [10])).toEqual([TIME + 1])
    await recordArrival(path, { byte: 20, time: TIME + 5 })
    expect(await findArrivals(path, [10, 20])).toEqual([TIME + 1, TIME + 5])
  })

  test.each([0, 5, 8, 15])('a file with only %i bytes begins again', async (size) => {
    const path = await recorded([0, 10])
    await truncate(path, size)
    expect(await findArrivals(path, [10])).toEqual([undefined])
    await recordArrival(path, { byte: 20, time: TIME })
    expect(await findArrivals(path, [10, 20])).toEqual([undefined, TIME])
  })

  test('a file of another kind has no times', async () => {
    const path = join(await tempDir(), '7.times')
    await writeFile(path, 'x'.repeat(100))
    expect(await findArrivals(path, [10])).toEqual([undefined])
  })
})
