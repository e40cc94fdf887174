import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { lineHash, readLineRange } from '../../src/web/kit/line-range.js'
import { RowMap } from '../../src/web/log/folds.js'
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
    expect(line?.map(({ color }) => color)).toEqual(['rgb(255, 0, 0)', 'rgb(1, 2, 3)'])
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
