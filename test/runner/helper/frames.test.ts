import { expect, test } from 'vitest'

import { encodeFrame, FrameReader } from '../../../src/runner/helper/protocol/frames.js'

test('frames are read whole, wherever their bytes are separated', () => {
  const bodies = [Buffer.alloc(0), Buffer.from('\0binary\xff', 'latin1'), Buffer.alloc(5000, 'x')]
  const bytes = Buffer.concat(bodies.map((body, index) => encodeFrame({ index }, body)))
  for (const size of [1, 2, 7, 8, 9, 1000, bytes.length]) {
    const reader = new FrameReader(5000)
    const frames = []
    for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)))
    expect(frames.map(({ head }) => head)).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }])
    expect(frames.every(({ body }, index) => body.equals(bodies[index] ?? Buffer.alloc(0)))).toBe(true)
  }
})

test('a body or a head that is too long is refused before it is received', () => {
  const long = encodeFrame({}, Buffer.alloc(101)).subarray(0, 8)
  expect(() => [...new FrameReader(100).push(long)]).toThrow('Not a message of the protocol')
  expect(() => [...new FrameReader(100).push(Buffer.from('bash: no such file'))]).toThrow(
    '"bash: no such file"',
  )
})
