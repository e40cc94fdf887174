import fc from 'fast-check'
import { expect, test } from 'vitest'

import { plainLines } from '../../../../../src/coordinator/ci/storage/trace-index/plain-lines.js'
import { divideLine, plainText } from '../../../../../src/coordinator/ci/storage/trace-index/shown-line.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'
import { anyLog } from './logs.js'

/** As `plainLines`, line by line. */
function plainByLine(log: Buffer): string {
  const lines = log.toString('latin1').split('\n')
  return lines
    .map((text) => {
      const line = Buffer.from(text, 'latin1')
      const { parts } = divideLine(line, 0, line.length)
      return parts.map(({ start, end }) => plainText(line.toString('latin1', start, end))).join('')
    })
    .join('\n')
}

const plainOf = (log: string | Buffer) => plainLines(Buffer.from(log)).toString('latin1')

test.each([
  ['plain\ntext', 'plain\ntext'],
  ['a \x1b[1;31mcoloured\x1b[0m word', 'a coloured word'],
  ['1 %\r2 %\r3 %\r\nnext', '3 %\nnext'],
  ['1 %\x1b[2K\x1b[1G2 %\x1b[1G\x1b[2K3 %\x1b[G\nnext', '3 %\nnext'],
  ['gone\x1b[2K\nnext', '\nnext'],
  ['section_start:1:a\r\x1b[0Ktitle\n', 'title\n'],
  ['2024-05-22T12:43:46.962646Z 01O text\n2024-05-22T12:43:46.962646Z 01O+more', 'text\nmore'],
])('%j is shown as %j', (log, plain) => {
  expect(plainOf(log)).toBe(plain)
})

test('text without anything special is not copied', () => {
  const log = Buffer.from('plain\ntext\n')
  expect(plainLines(log)).toBe(log)
})

test('logs are as their lines are', () => {
  fc.assert(
    fc.property(anyLog(), (log) => {
      expect(plainOf(log)).toBe(plainByLine(log))
    }),
    fuzzRuns(100),
  )
})

test('escape sequences of any kind are as in single lines', () => {
  const byte = fc.constantFrom(
    ...[0x07, 0x0a, 0x0d, 0x1b, 0x20, 0x30, 0x3b, 0x50, 0x5b, 0x5c, 0x5d, 0x5e, 0x6d, 0x73, 0xc3],
  )
  const bytes = fc.array(
    fc.oneof({ weight: 2, arbitrary: fc.constant(0x1b) }, { weight: 5, arbitrary: byte }),
  )
  const part = fc.oneof(
    { weight: 4, arbitrary: bytes.map((values) => Buffer.from(values)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from('section_end:1:a\r')) },
    ...['\x1b[2K', '\x1b[1G', '\x1b[G', '\x1b[0G'].map((sequence) => ({
      weight: 1,
      arbitrary: fc.constant(Buffer.from(sequence)),
    })),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const log = Buffer.concat(parts)
      expect(plainOf(log)).toBe(plainByLine(log))
    }),
    fuzzRuns(200),
  )
})
