import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { expect, test } from 'vitest'

import type { OpenInput } from '../../src/archive/archive-input.js'
import { zipInputs } from '../../src/archive/zip-writer.js'
import { PeakMemory } from '../support/peak-memory.js'

const TRAITS = { mode: 0o644, modified: new Date(0), uid: 0, gid: 0 }
const MEGABYTE = 1024 * 1024
const LARGE_BYTES = 2048 * MEGABYTE

/** Noise, which comes out as large as it went in; the same block again and again, far enough apart. */
const BLOCK = randomBytes(MEGABYTE)

const large: OpenInput = async () => ({
  ...TRAITS,
  kind: 'stream',
  name: 'large',
  size: LARGE_BYTES,
  content: (async function* () {
    for (let bytes = 0; bytes < LARGE_BYTES; bytes += BLOCK.length) yield Buffer.from(BLOCK)
  })(),
  close: async () => {},
})

const small = (index: number): OpenInput => {
  return async () => ({ ...TRAITS, kind: 'file', name: `small/${index}`, content: BLOCK.subarray(0, 10_000) })
}

test('memory does not grow with the archive: 2 GiB in one file, or 50,000 files', async () => {
  const memory = PeakMemory.start()
  let bytes = 0
  const count = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      memory.sample()
      done()
    },
  })
  const inputs = [large, ...Array.from({ length: 50_000 }, (_, index) => small(index))]
  await pipeline(zipInputs(inputs, { level: 4 }), count)
  expect(bytes).toBeGreaterThan(LARGE_BYTES + 50_000 * 10_000)
  expect(memory.growth).toBeLessThan(250 * MEGABYTE)
})
