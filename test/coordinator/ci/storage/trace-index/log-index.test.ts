import { describe, expect, test } from 'vitest'

import {
  blockOfByte,
  decodeIndex,
  encodeIndex,
  type LogIndex,
} from '../../../../../src/coordinator/ci/storage/trace-index/log-index.js'
import { TraceScanner } from '../../../../../src/coordinator/ci/storage/trace-index/trace-scanner.js'

function indexOf(log: string): LogIndex {
  const scanner = new TraceScanner()
  scanner.feed(Buffer.from(log))
  return { state: scanner.state, blockStarts: [0, ...scanner.blockStarts], mark: 0xdeadbeef }
}

const index = indexOf(
  `section_start:1:a\r\x1b[0KTitle – é\n${'line\n'.repeat(1000)}section_end:2:a\r\x1b[0K\n`,
)

describe('the file of an index', () => {
  test('contains the index', () => {
    expect(decodeIndex(encodeIndex(index))).toEqual(index)
    expect(decodeIndex(encodeIndex(indexOf('')))).toEqual(indexOf(''))
  })

  test('takes six bytes for 256 lines', () => {
    const more = indexOf('line\n'.repeat(256 * 1000))
    expect(encodeIndex(more).length).toBeLessThan(6 * 1000 + 200)
  })

  test('is refused if a byte is missing, added or another one', () => {
    const file = encodeIndex(index)
    expect(decodeIndex(Buffer.alloc(0))).toBeUndefined()
    expect(decodeIndex(Buffer.concat([file, Buffer.alloc(1)]))).toBeUndefined()
    for (let at = 0; at < file.length; at++) {
      expect(decodeIndex(file.subarray(0, at))).toBeUndefined()
      const damaged = Buffer.from(file)
      damaged[at] = (file[at] ?? 0) ^ 0x10
      expect(decodeIndex(damaged)).toBeUndefined()
    }
  })
})

test.each([
  [0, 1],
  [99, 1],
  [100, 257],
  [199, 257],
  [200, 513],
  [9999, 513],
])('byte %i is in the block of line %i', (byte, line) => {
  expect(blockOfByte([0, 100, 200], byte)).toBe(line)
})
