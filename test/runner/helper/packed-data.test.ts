import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { DataPacker, unpackData } from '../../../src/runner/helper/protocol/packed-data.js'

const TEXT = Buffer.from('one line of a log\n'.repeat(10_000))

test('each part of a text is much shorter, and comes back by itself', () => {
  const packer = new DataPacker()
  const packed = [TEXT, TEXT.subarray(7)].map((part) => packer.pack(part))
  for (const { body } of packed) expect(body.length).toBeLessThan(TEXT.length / 5)
  const [, second] = packed.map(({ body, size }) => unpackData(body, size))
  expect(second?.equals(TEXT.subarray(7))).toBe(true)
})

test('what does not get shorter is sent as it is, and some parts after it without an attempt', () => {
  const packer = new DataPacker()
  const bytes = randomBytes(10_000)
  expect(packer.pack(bytes)).toEqual({ body: bytes })
  expect(packer.pack(TEXT)).toEqual({ body: TEXT })
  const later = Array.from({ length: 20 }, () => packer.pack(TEXT).size)
  expect(later.at(-1)).toBe(TEXT.length)
})

test('a short line is sent as it is', () => {
  const line = Buffer.from('a line\n')
  expect(new DataPacker().pack(line)).toEqual({ body: line })
  expect(unpackData(line, undefined)).toBe(line)
})

test.each([
  ['more bytes than it says', deflateRawSync(TEXT), TEXT.length - 1],
  ['fewer bytes than it says', deflateRawSync(TEXT), TEXT.length + 1],
  ['something else', randomBytes(100), 1000],
])('a message with %s is refused', (_, body, size) => {
  expect(() => unpackData(body, size)).toThrow(/The data of a message/)
})
