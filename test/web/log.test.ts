import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { lineHash, readLineRange } from '../../src/web/kit/line-range.js'
import { fileReferences, repositoryPath } from '../../src/web/log/file-references.js'
import { RowMap } from '../../src/web/log/folds.js'
import { hitMarks, hitsWithin } from '../../src/web/log/hit-marks.js'
import { contrast, paletteColor, readableOn, type Rgb } from '../../src/web/log/log-colors.js'
import { plainText, styledLines } from '../../src/web/log/styled-text.js'

const ESC = '\u001B'

describe('rows of a log', () => {
  it('are its lines, without those that are folded', () => {
    const map = new RowMap(10, [
      { first: 3, last: 5 },
      { first: 4, last: 4 },
      { first: 8, last: 20 },
    ])
    expect(Array.from({ length: map.count }, (_, row) => map.lineOf(row))).toEqual([1, 2, 6, 7])
    expect(map.rowOf(4)).toBe(1)
    expect(map.isFolded(4)).toBe(true)
    expect(map.isFolded(6)).toBe(false)
  })

  it('lead back to their lines, whatever is folded', () => {
    const fold = fc
      .tuple(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 0, max: 60 }))
      .map(([first, more]) => ({ first, last: first + more }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.array(fold, { maxLength: 12 }), (lines, folds) => {
        const map = new RowMap(lines, folds)
        const shown = Array.from({ length: lines }, (_, index) => index + 1).filter(
          (line) => !folds.some(({ first, last }) => first <= line && line <= last),
        )
        expect(map.count).toBe(shown.length)
        expect(shown.map((line) => map.rowOf(line))).toEqual(shown.map((_, row) => row))
        expect(shown.map((_, row) => map.lineOf(row))).toEqual(shown)
      }),
    )
  })
})

describe('the text of a log', () => {
  it('has the colors of its escape sequences, which last over lines', () => {
    const [first, second] = styledLines([`a ${ESC}[31mred`, `still${ESC}[0m plain`], '')
    expect(first?.map(({ text, looks }) => [text, looks])).toEqual([
      ['a ', []],
      ['red', ['red']],
    ])
    expect(second?.map(({ text, looks }) => [text, looks])).toEqual([
      ['still', ['red']],
      [' plain', []],
    ])
  })

  it('begins in the style of the lines before', () => {
    expect(styledLines(['x'], '1;32')[0]?.[0]?.looks).toEqual(['green', 'bold'])
  })

  it('shows colors of the palette and true colors', () => {
    const [line] = styledLines([`${ESC}[38;5;196ma${ESC}[38;2;1;2;3mb`], '')
    expect(line?.map(({ color }) => color?.replace(/^light-dark\(/, ''))).toEqual([
      expect.stringMatching(/^rgb\(2\d\d, 0, 0\), rgb\(255, 0, 0\)/),
      expect.stringMatching(/^rgb\(1, 2, 3\), /),
    ])
  })

  it('has no color that cannot be read in one of the themes, or on its own ground', () => {
    const grounds: Rgb[] = [
      [252, 252, 253],
      [13, 16, 20],
    ]
    for (let index = 16; index < 256; index++) {
      const color = paletteColor(index)
      for (const ground of [...grounds, paletteColor(255 - index + 16)])
        expect(contrast(readableOn(color, ground), ground)).toBeGreaterThanOrEqual(4.5)
    }
    const [line] = styledLines([`${ESC}[38;5;16mx${ESC}[0;48;5;231my${ESC}[30mz${ESC}[0;48;5;16mv`], '')
    expect(line?.map(({ color, background }) => [color, background])).toEqual([
      [expect.stringMatching(/^light-dark\(rgb\(0, 0, 0\), rgb\(1/), undefined],
      ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
      ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
      ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
    ])
  })

  it.each([
    [`${ESC}]8;;https://example.com/a${ESC}\\here${ESC}]8;;${ESC}\\ end`, 'here', 'https://example.com/a'],
    ['see https://example.com/b?c=1, then', 'https://example.com/b?c=1', 'https://example.com/b?c=1'],
  ])('has links: %j', (text, linked, href) => {
    const [line] = styledLines([text], '')
    expect(
      line?.filter((piece) => piece.href !== undefined).map((piece) => [piece.text, piece.href]),
    ).toEqual([[linked, href]])
  })

  it('never links to a script', () => {
    const [line] = styledLines([`${ESC}]8;;javascript:alert(1)\u0007click${ESC}]8;;\u0007`], '')
    expect(line).toEqual([{ text: 'click', looks: [] }])
  })

  it.each([
    `${ESC}[38;2;1;2;3);x`,
    `${ESC}[`,
    `${ESC}[3`,
    `${ESC}]8;;https://example.com/`,
    `${ESC}]8;`,
    `${ESC}]0;title`,
  ])('a sequence without an end takes nothing of the next line: %j', (text) => {
    const [, second, third] = styledLines([text, 'second', `third\u0007${ESC}\\`], '').map(plainText)
    expect([second, third]).toEqual(['second', 'third\u0007\\'])
  })

  it('leaves out styles that it does not know', () => {
    expect(styledLines([`${ESC}[4:3mwavy`], '').map(plainText)).toEqual(['wavy'])
  })

  it('keeps every line, also empty ones', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~]{0,12}$/), { minLength: 1, maxLength: 20 }), (lines) => {
        expect(styledLines(lines, '').map(plainText)).toEqual(lines)
      }),
    )
  })
})

describe('a range of lines in an address', () => {
  it.each([
    ['#L42', { first: 42, last: 42 }],
    ['#L42-L60', { first: 42, last: 60 }],
    ['#L60-L42', { first: 42, last: 60 }],
    ['#L0', undefined],
    ['#L', undefined],
    ['#42', undefined],
  ])('is read from %s', (hash, range) => {
    expect(readLineRange(hash)).toEqual(range)
  })

  it('is written as it is read', () => {
    expect(lineHash({ first: 3, last: 5 })).toBe('#L3-L5')
    expect(lineHash({ first: 3, last: 3 })).toBe('#L3')
  })
})

describe('names of files in a log', () => {
  it.each([
    ['at run (src/a/b.ts:12:3)', 'src/a/b.ts', 12],
    ['./spec/parser_spec.rb:7:in `block`', './spec/parser_spec.rb', 7],
    ['src/a.ts(12,3): error TS2322', 'src/a.ts', 12],
    ['  File "/builds/group/app/tool/run.py", line 42, in main', '/builds/group/app/tool/run.py', 42],
    ['main.go:9: undefined: x', 'main.go', 9],
    ['--> src/lib.rs:3:5', 'src/lib.rs', 3],
  ])('%s', (text, path, line) => {
    expect(fileReferences(text)).toMatchObject([{ path, line }])
  })

  it.each([
    'registry.example.com:5000/image',
    '12:30:45 started',
    'node:internal/process:95:5',
    'v1.2.3:4',
    'https.js',
    'image ruby:3.3',
  ])('%s has none', (text) => {
    expect(fileReferences(text)).toEqual([])
  })

  it('are links in the text around them, in its colors', () => {
    const [line] = styledLines([`${ESC}[31mat src/a.ts:12 and https://a.example/b.ts:1.`], '')
    expect(line?.map(({ text, file, href }) => [text, file ?? href])).toEqual([
      ['at ', undefined],
      ['src/a.ts:12', { path: 'src/a.ts', line: 12 }],
      [' and ', undefined],
      ['https://a.example/b.ts:1', 'https://a.example/b.ts:1'],
      ['.', undefined],
    ])
    expect(line?.[1]?.looks).toEqual(['red'])
  })

  it.each([
    ['./src/a.ts', 'src/a.ts'],
    ['src/a.ts', 'src/a.ts'],
    ['/builds/group/app/src/a.ts', 'src/a.ts'],
    ['/usr/lib/ruby/a.rb', undefined],
    ['../a.ts', undefined],
    ['node_modules/x/a.js', undefined],
    ['~/a.sh', undefined],
  ])('%s is %s in the repository', (path, inside) => {
    expect(repositoryPath(path, 'group/app')).toBe(inside)
  })
})

describe('hits of a search', () => {
  it('are counted within a section, and marked once for each place', () => {
    const lines = [3, 10, 11, 50]
    expect([hitsWithin(lines, 10, 49), hitsWithin(lines, 4, 9), hitsWithin([], 1, 9)]).toEqual([2, 0, 0])
    expect(hitMarks([0, 1, 2, 500_000], 1_000_000)).toEqual([0, 50])
    expect(hitMarks([], 0)).toEqual([])
  })
})
