import { randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { deflateIfSmaller, deflateInPieces } from '../../src/archive/deflate.js'
import { isIncompressible } from '../../src/archive/is-incompressible.js'

async function deflate(chunks: Buffer[], level: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const { deflated } of deflateInPieces(chunks, level)) parts.push(deflated)
  return Buffer.concat(parts)
}

/** Content of several pieces: runs of text, noise and zeros. */
const contents = fc
  .array(
    fc.record({
      kind: fc.constantFrom('text', 'noise', 'zeros'),
      bytes: fc.integer({ min: 0, max: 400_000 }),
      seed: fc.integer({ min: 0, max: 255 }),
    }),
    { maxLength: 4 },
  )
  .map((runs) => Buffer.concat(runs.map(run)))

function run({ kind, bytes, seed }: { kind: string; bytes: number; seed: number }): Buffer {
  if (kind === 'noise') return randomBytes(bytes)
  if (kind === 'zeros') return Buffer.alloc(bytes)
  return Buffer.alloc(bytes, `line ${seed} of a log that repeats itself, more or less\n`)
}

test('inflating returns the content for any chunking, and the deflated bytes are the same', async () => {
  await fc.assert(
    fc.asyncProperty(contents, fc.integer({ min: 0, max: 9 }), fc.nat(), async (content, level, cut) => {
      const at = content.length === 0 ? 0 : cut % content.length
      const inOne = await deflate([content], level)
      const inTwo = await deflate([content.subarray(0, at), content.subarray(at)], level)
      expect(inTwo.equals(inOne)).toBe(true)
      expect(inflateRawSync(inOne).equals(content)).toBe(true)
    }),
    { numRuns: 25 },
  )
})

test('pieces share a dictionary: repeated text packs as well as in one piece', async () => {
  const page = randomBytes(20_000)
  const packed = await deflate(Array<Buffer>(100).fill(page), 6)
  expect(packed.length).toBeLessThan(200_000)
})

test('random data grows by little and is not compressed', async () => {
  const noise = randomBytes(1_000_000)
  expect((await deflate([noise], 9)).length).toBeLessThan(noise.length + 200)
  expect(await deflateIfSmaller(noise.subarray(0, 100_000), 9)).toBeUndefined()
  expect(await deflateIfSmaller(noise.subarray(0, 10), 9)).toBeUndefined()
})

test.each([
  ['noise', randomBytes(100_000), true],
  ['text', Buffer.alloc(100_000, 'to be or not to be, that is the question\n'), false],
  ['zeros', Buffer.alloc(100_000), false],
  ['a repeated block of noise', Buffer.alloc(100_000, randomBytes(1000)), false],
  ['less than the samples', randomBytes(1000), false],
])('%s: incompressible is %j', async (_, content, expected) => {
  expect(await isIncompressible(content)).toBe(expected)
})
