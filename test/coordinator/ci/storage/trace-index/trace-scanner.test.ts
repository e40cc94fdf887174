import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  LINES_PER_BLOCK,
  MAX_SECTIONS,
  TraceScanner,
} from '../../../../../src/coordinator/ci/storage/trace-index/trace-scanner.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'
import { anyLog } from './logs.js'

const start = (name: string, time = 100, options = '') => `section_start:${time}:${name}${options}\r\x1b[0K`
const end = (name: string, time = 160) => `section_end:${time}:${name}\r\x1b[0K`

function scan(log: string | Buffer, sizes: readonly number[] = []) {
  const bytes = Buffer.from(log)
  const scanner = new TraceScanner()
  let at = 0
  for (const size of sizes) {
    scanner.feed(bytes.subarray(at, at + size))
    at += size
  }
  scanner.feed(bytes.subarray(at))
  return scanner
}

function resultOf(scanner: TraceScanner) {
  const { bytes, openLineStart } = scanner
  scanner.finish()
  const { lines, sections, blockStarts } = scanner
  return { bytes, openLineStart, lines, sections, blockStarts }
}

const sectionsOf = (log: string) => resultOf(scan(log)).sections

describe('sections of a log', () => {
  test('a section lasts from its marker to the line before its end', () => {
    const log = `first\n${start('build')}\x1b[36;1mBuilding\x1b[0;m\nmake\n${end('build')}last\n`
    expect(sectionsOf(log)).toEqual([
      {
        name: 'build',
        title: 'Building',
        options: '',
        firstLine: 2,
        lastLine: 3,
        startedAt: 100,
        finishedAt: 160,
        depth: 0,
      },
    ])
  })

  test('a section ends in the line of its end marker if text is before it', () => {
    const [section] = sectionsOf(`${start('a')}A\nprinted without an end${end('a')}\nmore\n`)
    expect(section).toMatchObject({ firstLine: 1, lastLine: 2 })
  })

  test('markers follow each other in one line', () => {
    const sections = sectionsOf(`${start('a')}A\n${end('a')}${start('b')}B\n${end('b')}done\n`)
    expect(sections.map(({ name, firstLine, lastLine }) => [name, firstLine, lastLine])).toEqual([
      ['a', 1, 1],
      ['b', 2, 2],
    ])
  })

  test('sections nest, and an end ends what has no end of its own', () => {
    const log = `${start('a')}A\n${start('b')}B\n${start('c')}C\n${end('c')}${end('a', 200)}\nrest\n${end('b')}`
    expect(sectionsOf(log)).toMatchObject([
      { name: 'a', depth: 0, firstLine: 1, lastLine: 3, finishedAt: 200 },
      { name: 'b', depth: 1, firstLine: 2, lastLine: 3, finishedAt: null },
      { name: 'c', depth: 2, firstLine: 3, lastLine: 3, finishedAt: 160 },
    ])
  })

  test('a section without an end is open', () => {
    expect(sectionsOf(`${start('a')}A\nmore\n`)).toMatchObject([{ lastLine: null, finishedAt: null }])
  })

  test('options are kept, and a section without text has its name as title', () => {
    const [section] = sectionsOf(`${start('a_b.c-1', 5, '[hide_duration=true,collapsed=true]')}\n`)
    expect(section).toMatchObject({
      name: 'a_b.c-1',
      title: 'a_b.c-1',
      options: 'hide_duration=true,collapsed=true',
    })
  })

  test('the title of a section with timestamps is in the next line', () => {
    const at = '2024-05-22T12:43:46.962646Z 00O'
    const log = `${at} section_start:1716381826:prepare\r\n${at}+\x1b[0K\x1b[36;1mPreparing\x1b[0;m\n${at} x\n${at} section_end:1716381827:prepare\r\n${at}+\x1b[0K\n`
    expect(sectionsOf(log)).toMatchObject([
      { title: 'Preparing', firstLine: 1, lastLine: 3, startedAt: 1716381826, finishedAt: 1716381827 },
    ])
  })

  test('a line that does not continue the one of the marker is no title', () => {
    expect(sectionsOf(`${start('a')}\n2024-05-22T12:43:46.962646Z 00O text\n`)).toMatchObject([
      { title: 'a' },
    ])
  })

  test.each([
    'section_start:1:\r\x1b[0Kx\n',
    'section_start:x:a\r\x1b[0Kx\n',
    'section_start:1:a b\r\x1b[0Kx\n',
    'section_start:1:a\nx\r\x1b[0K\n',
    `section_start:1:${'a'.repeat(256)}\r\x1b[0Kx\n`,
    'section_middle:1:a\r\x1b[0Kx\n',
    'xsection_end:1:a\r\x1b[0Kx\n',
  ])('%j begins no section', (log) => {
    expect(sectionsOf(log)).toEqual([])
  })

  test('a number that is not a time is unknown', () => {
    expect(sectionsOf(`section_start:${'9'.repeat(20)}:a\r\x1b[0KA\n`)).toMatchObject([{ startedAt: null }])
  })

  test('only so many sections are recorded', () => {
    const log = Array.from({ length: MAX_SECTIONS + 5 }, (_none, index) => `${start(`s${index}`)}S\n`).join(
      '',
    )
    expect(sectionsOf(log)).toHaveLength(MAX_SECTIONS)
  })

  test('a marker far from the beginning of a long line ends its section in that line', () => {
    const [section] = sectionsOf(`${start('a')}A\n${' '.repeat(5000)}${end('a')}\n`)
    expect(section).toMatchObject({ lastLine: 2 })
  })
})

describe('lines of a log', () => {
  test.each([
    ['', 0, 0],
    ['a', 0, 0],
    ['a\n', 1, 2],
    ['a\n\nb', 2, 3],
  ])('%j has %i line ends, and its open line begins at %i', (log, lines, openLineStart) => {
    expect(resultOf(scan(log))).toMatchObject({ lines, openLineStart, bytes: log.length })
  })

  test('the position of every 256th line is recorded', () => {
    const lines = Array.from({ length: 1000 }, (_none, index) => `line ${index}\n`)
    const positions = [256, 512, 768].map((line) => lines.slice(0, line).join('').length)
    expect(resultOf(scan(lines.join(''))).blockStarts).toEqual(positions)
    expect(LINES_PER_BLOCK).toBe(256)
  })
})

describe('pieces of a log', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 40 })

  test('the result does not depend on how a log is cut into pieces', () => {
    fc.assert(
      fc.property(anyLog(), cuts, (log, sizes) => {
        expect(resultOf(scan(log, sizes))).toEqual(resultOf(scan(log)))
      }),
      fuzzRuns(100),
    )
  })

  test('another scanner continues at any line', () => {
    fc.assert(
      fc.property(anyLog(), fc.nat(), (log, where) => {
        const cut = log.lastIndexOf('\n', where % (log.length + 1)) + 1
        const first = scan(log.subarray(0, cut))
        expect(first.openLineStart).toBe(cut)
        const state = structuredClone(first.state)
        const second = new TraceScanner(state)
        second.feed(log.subarray(cut))
        const joined = resultOf(second)
        joined.blockStarts.unshift(...first.blockStarts)
        expect(joined).toEqual(resultOf(scan(log)))
        expect(state).toEqual(first.state)
      }),
      fuzzRuns(100),
    )
  })
})
