import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { LineCollector, lineText } from '../../../../../src/coordinator/ci/storage/trace-index/line-text.js'
import { plainText } from '../../../../../src/coordinator/ci/storage/trace-index/shown-line.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'
import { anyLog } from './logs.js'

const MAX = 1000
const of = (line: string | Buffer, max = MAX) => lineText(Buffer.from(line), max)

describe('the text of a line', () => {
  test.each([
    ['plain text', 'plain text'],
    ['\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m'],
    ['\x1b[0Kerased\x1b[2K \x1b[1A', ' '],
    ['10 %\x1b[1G20 %\x1b[2K\x1b[1G30 %', '30 %'],
    ['10 %\x1b[2K\r20 %\x1b[G', '20 %'],
    ['done\x1b[1G', 'done'],
    ['gone\x1b[2K', ''],
    ['\x1b[31m10 %\x1b[2K\x1b[1G20 %', '\x1b[31m20 %'],
    ['\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x1b\\', '\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x1b\\'],
    ['windows\r', 'windows'],
    ['10 %\r20 %\r30 %', '30 %'],
    ['10 %\r20 %\r', '20 %'],
    ['\x1b[31m10 %\r20 %', '\x1b[31m20 %'],
    ['\x1b[31m1\x1b[0m\x1b[1m\r2', '\x1b[0m\x1b[1m2'],
    ['section_start:1:a\r\x1b[0Ktitle', 'title'],
    ['section_end:1:a\r\x1b[0Ksection_start:2:b[collapsed=true]\r\x1b[0Ktitle', 'title'],
    ['text before section_end:1:a\r\x1b[0Kand after', 'text before and after'],
    ['10 %\r20 %section_end:1:a\r\x1b[0Krest', '20 %rest'],
    ['2024-05-22T12:43:46.962646Z 01O text', 'text'],
    ['2024-05-22T12:43:46.962646Z 01E+text', 'text'],
    ['2024-05-22T12:43:46.962646Z 00O section_start:1:a\r', ''],
    ['2024-05-22T12:43:46.962646Z 01X text', '2024-05-22T12:43:46.962646Z 01X text'],
    ['section_start:1:\rtext', 'text'],
    [Buffer.from([0x61, 0xff, 0xc3]), 'a\ufffd\ufffd'],
    ['', ''],
  ])('%j is shown as %j', (line, text) => {
    expect(of(line).text).toBe(text)
  })

  test.each([
    ['10 %\r20 %\r30 %', 2],
    ['10 %\r20 %\r', 1],
    ['\x1b[2K\r30 %', 0],
    ['\x1b[2K\x1b[1G10 %\x1b[2K\x1b[1G20 %', 1],
    ['windows\r', 0],
    ['section_start:1:a\r\x1b[0Ktitle', 0],
  ])('%j has %i overwritten texts', (line, overwritten) => {
    expect(of(line).overwritten).toBe(overwritten)
  })

  test.each([
    ['section_start:1:a\r\x1b[0K', true],
    ['section_end:1:a\r\x1b[0K\x1b[0;m ', true],
    ['section_start:1:a\r\x1b[0Ktitle', false],
    ['', false],
  ])('%j has nothing but markers: %j', (line, isMarker) => {
    expect(of(line).isMarker).toBe(isMarker)
  })

  test('a timestamp of the runner is the time of the line', () => {
    const time = Date.UTC(2024, 4, 22, 12, 43, 46, 962)
    expect(of('2024-05-22T12:43:46.962646Z 01O text').time).toBe(time)
    expect(of('2024-99-22T12:43:46.962646Z 01O text').time).toBeUndefined()
    expect(of('text').time).toBeUndefined()
  })

  test.each([
    ['abcdef', 6, 'abcdef', false],
    ['abcdefg', 6, 'abcdef', true],
    ['abcdéf', 5, 'abcd', true],
    ['abc\u{1f600}', 6, 'abc', true],
    ['abc\u{1f600}', 7, 'abc\u{1f600}', false],
    ['section_start:1:a\r\x1b[0Kabcdefg', 6, 'abcdef', true],
    ['abcsection_start:1:a\r\x1b[0Kdefg', 5, 'abcde', true],
    ['abcdesection_start:1:a\r\x1b[0Kdefg', 5, 'abcde', true],
  ])('of %j, %i bytes are %j', (line, max, text, isCut) => {
    expect(of(line, max)).toMatchObject({ text, isCut })
  })
})

describe('lines in pieces', () => {
  const pieces = (line: Buffer, size: number) =>
    Array.from({ length: Math.ceil(line.length / size) }, (_none, at) =>
      line.subarray(at * size, at * size + size),
    )

  test('a line is the same however its bytes arrive', () => {
    fc.assert(
      fc.property(anyLog(), fc.integer({ min: 1, max: 500 }), (log, size) => {
        const collector = new LineCollector(MAX)
        const lines = log.toString('latin1').split('\n')
        for (const line of lines.map((text) => Buffer.from(text, 'latin1')).slice(0, 30)) {
          for (const piece of pieces(line, size)) collector.push(piece)
          expect(collector.size).toBe(line.length)
          expect(collector.take()).toEqual(lineText(line, MAX))
        }
      }),
      fuzzRuns(50),
    )
  })

  test.each([
    ['without carriage returns', Buffer.alloc(300_000, 'abc\x1b[31m'), 0],
    ['with many carriage returns', Buffer.from('12 %\r'.repeat(20_000)), 19_999],
    ['with a long text after a carriage return', Buffer.from(`1\r2\r${'x'.repeat(200_000)}`), 2],
    ['with a timestamp', Buffer.from(`2024-05-22T12:43:46.962646Z 01O ${'x'.repeat(200_000)}`), 0],
  ])('a long line %s is treated like others', (_name, line, overwritten) => {
    const collector = new LineCollector(MAX)
    for (const piece of pieces(line, 10_000)) collector.push(piece)
    const taken = collector.take()
    const { text, isCut, time } = lineText(line, MAX)
    expect(taken).toMatchObject({ text, isCut, time, overwritten })
    expect(taken.text.length).toBeLessThanOrEqual(MAX)
  })
})

test('plain text has no escape sequence', () => {
  const sequences = [
    '\x1b[1;31m',
    '\x1b[?25l',
    '\x1b]0;title\x07',
    '\x1b]8;;http://a\x1b\\',
    '\x1b(B',
    '\x1b7',
    '\x1b[38;2;1;2;3m',
  ]
  expect(plainText(`a${sequences.join('b')}c\x1b[`)).toBe('abbbbbbc')
})
