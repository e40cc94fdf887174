import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createMatcher } from '../../../../../src/coordinator/ci/storage/trace-index/line-matcher.js'
import {
  type LogSearch,
  type SearchHit,
  searchLog,
} from '../../../../../src/coordinator/ci/storage/trace-index/search-log.js'
import { divideLine, plainText } from '../../../../../src/coordinator/ci/storage/trace-index/shown-line.js'
import type { LineQuery } from '../../../../../src/coordinator/ci/storage/trace-index/text-matcher.js'
import { LINES_PER_BLOCK } from '../../../../../src/coordinator/ci/storage/trace-index/trace-scanner.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'
import { testAtNight } from '../../../../support/nightly.js'
import { FAILED_LOGS } from './failed-logs.js'
import { anyLog } from './logs.js'

const text = (value: string, isCaseSensitive = true): LineQuery => ({
  kind: 'text',
  text: value,
  isCaseSensitive,
})
const regexp = (expression: string, isCaseSensitive = true): LineQuery => ({
  kind: 'regexp',
  expression,
  isCaseSensitive,
})

function search(log: string | Buffer, query: LineQuery, more: Partial<LogSearch> = {}) {
  const bytes = Buffer.from(log)
  const hits: SearchHit[] = []
  const progress: number[] = []
  const end = searchLog(
    {
      query,
      start: 0,
      line: 1,
      from: 1,
      end: bytes.length,
      limit: 1000,
      blockStarts: blockStartsOf(bytes),
      ...more,
    },
    createMatcher(query),
    (buffer, position) => bytes.copy(buffer, 0, position),
    (item) => ('line' in item ? hits.push(item) : progress.push(item.searched_to)),
  )
  return { hits, end, progress, found: hits.map(({ line, text: of, ranges }) => [line, of, ranges]) }
}

function blockStartsOf(bytes: Buffer): number[] {
  const starts = [0]
  let lines = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) {
    if (++lines % LINES_PER_BLOCK === 0) starts.push(at + 1)
  }
  return starts
}

describe('a search in a log', () => {
  test('finds lines, and every match in them', () => {
    const { found, end } = search('one two\nthree\ntwo and two\n', text('two'))
    expect(found).toEqual([
      [1, 'one two', [[4, 7]]],
      [
        3,
        'two and two',
        [
          [0, 3],
          [8, 11],
        ],
      ],
    ])
    expect(end).toEqual({ hits: 2, searched_to: 3, done: true })
  })

  test('finds a word that is coloured in part, and nothing that is not shown', () => {
    const log = '\x1b[31mFAI\x1b[1mLED\x1b[0m\nFAILED 1\rdone\nsection_start:1:FAILED\r\x1b[0Kx\n'
    expect(search(log, text('FAILED')).found).toEqual([[1, 'FAILED', [[0, 6]]]])
  })

  test.each([
    ['of one color', 'x Needle y'],
    ['whose first letter has a color', 'x \x1b[1mN\x1b[0meedle y'],
    ['whose last letter has a color', 'x nnNEEDL\x1b[0m\x1b[1me'],
    ['after another beginning of it', 'neneedle'],
    ['with a section marker inside', 'nesection_end:1:a\r\x1b[0Kedle'],
    ['with a return and a section marker inside', 'ne\rsection_start:1:a\r\x1b[0Kold\redle'],
    ['after a text that it replaces', 'nee\rneedle'],
    ['after a time', '2026-01-02T03:04:05.000000Z 01O needle'],
  ])('finds a word %s, far from the beginning', (_place, line) => {
    const before = `${'a \x1b[32mneed\x1b[0m and a nee\n'.repeat(1000)}${'some text\n'.repeat(200_000)}`
    const log = `${before}${line}\n${'some text\n'.repeat(1000)}needl\n`
    expect(search(log, text('nEEdle', false)).hits.map(({ line: found }) => found)).toEqual([201_001])
  })

  test('takes all characters of a text literally', () => {
    const odd = '\\^$.*+?()[]{}|/- \u{1f600}é'
    expect(search(`x\n${odd}\n`, text(odd)).found).toEqual([[2, odd, [[0, odd.length]]]])
  })

  test('knows upper and lower case of all languages', () => {
    const log = 'ÉTÉ\nété\nEté\n'
    expect(search(log, text('ÉTÉ')).hits.map(({ line }) => line)).toEqual([1])
    expect(search(log, text('ÉTÉ', false)).hits.map(({ line }) => line)).toEqual([1, 2])
    expect(search(log, regexp('é.é', false)).hits.map(({ line }) => line)).toEqual([1, 2])
  })

  test('matches an expression against each line alone', () => {
    const log = 'ab\nb\n\nabb\n'
    expect(search(log, regexp('^a(b+)$')).found).toEqual([
      [1, 'ab', [[0, 2]]],
      [4, 'abb', [[0, 3]]],
    ])
    expect(search(log, regexp('\\Ab\\z')).hits.map(({ line }) => line)).toEqual([2])
    expect(search(log, regexp('b\\s+b')).hits).toEqual([])
    expect(search(log, regexp('^$')).found).toEqual([[3, '', []]])
  })

  test('begins at a line, and ends at the limit', () => {
    const log = 'x\n'.repeat(1000)
    const { hits, end } = search(log, text('x'), { start: 512, line: 257, from: 300, limit: 2 })
    expect([hits.map(({ line }) => line), end]).toEqual([
      [300, 301],
      { hits: 2, searched_to: 301, done: false },
    ])
    expect(search(log, text('x'), { from: 999 }).end).toEqual({ hits: 2, searched_to: 1000, done: true })
  })

  test('includes a last line without an end', () => {
    expect(search('a\nb', text('b'))).toMatchObject({ hits: [{ line: 2 }], end: { searched_to: 2 } })
  })

  test('of a long line shows the part around the first match', () => {
    const line = `${'x'.repeat(3000)}needle${'y'.repeat(3000)}needle`
    const [hit] = search(line, text('needle')).hits
    expect(hit).toMatchObject({ line: 1, offset: 2900, ranges: [[100, 106]] })
    expect(hit?.text).toBe(line.slice(2900, 3400))
    const [last] = search(`${'x'.repeat(3000)}needle`, text('needle')).hits
    expect(last).toMatchObject({ offset: 2506, ranges: [[494, 500]] })
  })

  testAtNight('of a log of many megabytes reports its progress', () => {
    const log = `${'some text\n'.repeat(2_000_000)}needle\n`
    const { hits, progress, end } = search(log, text('needle'))
    expect(hits).toMatchObject([{ line: 2_000_001 }])
    expect(end.searched_to).toBe(2_000_001)
    expect(progress).toHaveLength(2)
    expect(progress[0]).toBeGreaterThan(800_000)
  })

  test('of a line over many megabytes finds it once', () => {
    const { hits, end } = search(`first\n${'needle '.repeat(500_000)}\nneedle\n`, text('needle'))
    expect(hits.map(({ line, ranges }) => [line, ranges.length])).toEqual([
      [2, 50],
      [3, 1],
    ])
    expect(end).toEqual({ hits: 2, searched_to: 3, done: true })
  })

  test('finds the lines that a simple search finds', () => {
    const query = fc.constantFrom<LineQuery>(
      text('hello'),
      text('LINE', false),
      text('lo', false),
      text('l'),
      text(' '),
      regexp('h.*o'),
      regexp('^line$'),
      regexp('[é%]', false),
    )
    fc.assert(
      fc.property(anyLog(), query, (log, wanted) => {
        const lines = log.toString('latin1').split('\n').map(plainOfLine)
        const matcher = createMatcher(wanted)
        const expected = lines.flatMap((line, index) => ([...matcher(line)].length > 0 ? [index + 1] : []))
        expect(search(log, wanted, { limit: 1e9 }).hits.map(({ line }) => line)).toEqual(expected)
      }),
      fuzzRuns(60),
    )
  })
})

function plainOfLine(latin1: string): string {
  const line = Buffer.from(latin1, 'latin1')
  const { parts } = divideLine(line, 0, line.length)
  const plain = parts.map(({ start, end }) => plainText(line.toString('latin1', start, end))).join('')
  return Buffer.from(plain, 'latin1').toString('utf8')
}

describe('errors', () => {
  test.each([
    'error: cannot find module',
    'ERROR: Job failed: exit code 1',
    '[error] it broke',
    'src/a.ts(1,2): error TS2322: Type',
    'error[E0382]: borrow of moved value',
    'fatal: not a git repository',
    'panic: runtime error',
    'TypeError: x is not a function',
    'Caused by: java.lang.NullPointerException',
    'FAIL  test/a.test.ts',
    '--- FAILED: TestX',
    'BUILD FAILURE',
    '##[error]Process completed',
    'npm ERR! code ELIFECYCLE',
    'make: *** [all] Error 2',
    'Traceback (most recent call last):',
    'Segmentation fault (core dumped)',
  ])('%j is one', (line) => {
    expect(search(`fine\n${line}\n`, { kind: 'errors' }).hits.map(({ line: found }) => found)).toEqual([2])
  })

  test.each(Object.entries(FAILED_LOGS).filter(([tool]) => !tool.startsWith('a program without a message')))(
    'of %s include the failing line',
    (_tool, log) => {
      const lines = log.split('\n')
      const { hits } = search(lines.map((line) => line.replace(/^» /, '')).join('\n'), { kind: 'errors' })
      expect(hits.map(({ line }) => line)).toContain(lines.findIndex((line) => line.startsWith('» ')) + 1)
    },
  )

  test.each([
    '0 errors, 0 warnings',
    'src/error.ts compiled',
    'errors: 0',
    'compiling error-handler',
    'no error here',
    'terror: a film',
    'all tests passed',
    'Exceptional',
    'FAILOVER done',
    'ok 3 - an error: is shown',
    'warning: error: is not defined',
    '$ echo error: no',
  ])('%j is none', (line) => {
    expect(search(`${line}\n`, { kind: 'errors' }).hits).toEqual([])
  })

  test('are found in linear time', () => {
    for (const hostile of ['A', 'aA', 'error ', '*** [x', 'A1_', 'FAIL', ': line 1: ', 'x > ']) {
      search(hostile.repeat(100_000), { kind: 'errors' })
    }
  })
})

test.each(['(', 'a{2,1}', '[z-a]', '(?<x>a)\\k<x>', '(?<!a)b'])('%j is no valid expression', (expression) => {
  expect(() => createMatcher(regexp(expression))).toThrow()
})

test('an expression with too many elements is refused', () => {
  expect(() => createMatcher(regexp('(abc){1000}'))).toThrow('elements, more than 2000')
})
