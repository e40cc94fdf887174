import { describe, expect, test } from 'vitest'

import { widestLine } from '../../src/web/code/text-lines.js'
import { LogSource } from '../../src/web/log/log-source.js'
import { hiddenIn, hiddenParts } from '../../src/web/text/hidden-characters.js'
import { HIDDEN_RANGES } from '../../src/web/text/hidden-ranges.js'
import { isPlain } from '../../src/web/text/is-plain.js'

/** The text with the codes of marked characters in brackets. */
function shown(text: string): string {
  const parts = hiddenParts(text) ?? [text]
  return parts.map((part) => (typeof part === 'string' ? part : `[${part.code}]`)).join('')
}

describe('invisible characters', () => {
  test.each([
    // CVE-2021-42574: the comment seems to end before the condition.
    [
      '/*\u202E } \u2066if (admin)\u2069 \u2066 begin */',
      '/*[U+202E] } [U+2066]if (admin)[U+2069] [U+2066] begin */',
    ],
    ['\u202A\u202B\u202C\u202D\u2067\u2068', '[U+202A][U+202B][U+202C][U+202D][U+2067][U+2068]'],
    ['a\u200Eb\u200Fc\u061C', 'a[U+200E]b[U+200F]c[U+061C]'],
    ['pass\u200Bword\u2060', 'pass[U+200B]word[U+2060]'],
    ['a\u200Db\u200Cc', 'a[U+200D]b[U+200C]c'],
    ['a\u00ADb\u034Fc', 'a[U+00AD]b[U+034F]c'],
    ['const \u3164 = \uFFA0', 'const [U+3164] = [U+FFA0]'],
    ['\uFEFFimport', '[U+FEFF]import'],
    ['a\u{E0041}\u{E0100}\uFE00', 'a[U+E0041][U+E0100][U+FE00]'],
    ['a\u0008\u001B\u0085', 'a[U+0008][U+001B][U+0085]'],
  ])('are marked in %j', (text, marked) => {
    expect(shown(text)).toBe(marked)
    expect(isPlain(text)).toBe(false)
  })

  test.each([
    ['tabs, line ends and spaces', 'a\tb\u00A0c\r'],
    ['letters of any direction', '\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627'],
    [
      'emoji of several',
      '\u{1F469}\u200D\u{1F4BB} \u2764\uFE0F 1\uFE0F\u20E3 \u{1F3F3}\uFE0F\u200D\u{1F308}',
    ],
    ['the flag of a region', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    [
      'joiners of Persian and Hindi',
      '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u0915\u094D\u200D\u0937',
    ],
    ['a variant of a Han character', '\u845B\u{E0100}'],
  ])('are not %s', (_, text) => {
    expect(hiddenParts(text)).toBeUndefined()
  })

  test('are in no text that counts as plain', () => {
    const numbers = HIDDEN_RANGES.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    expect(numbers.filter((number) => isPlain(String.fromCodePoint(number)))).toEqual([])
    expect(isPlain('caf\u00E9 \u2713 \u2192 \u2500\u2588 100\u00A0% \u201Cx\u201D\t\r')).toBe(true)
  })

  test('widen the line for their marks', () => {
    expect(widestLine(['\u202E\u202E', 'abc'])).toBe(16)
  })

  test('stay in the text: its parts together are the text', () => {
    const text = '/*\u202E a\u200Bb */'
    const parts = hiddenParts(text) ?? []
    expect(parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(text)
    expect(parts[1]).toMatchObject({ code: 'U+202E', name: 'right-to-left override', kind: 'direction' })
  })

  test('of a text are counted for the warning above it', () => {
    expect(hiddenIn(['a', 'b\u200B', '\u202Ec'])).toEqual({ count: 2, firstLine: 1, turns: true })
    expect(hiddenIn(['a\u200B'])).toEqual({ count: 1, firstLine: 0, turns: false })
    // Programs print bells and backspaces; they are marked.
    expect(hiddenIn(['a\u0007', 'b'])).toBeUndefined()
  })

  test('of a log are known once their lines have been read', async () => {
    const response = {
      from: 257,
      total: 300,
      next_byte: 9,
      is_complete: true,
      style: '',
      times: [],
      cut: [],
      overwritten: [],
      markers: [],
      lines: ['plain', '\u001B[31mred\u001B[0m \u202E'],
    }
    const source = new LogSource(
      {
        lines: () => Promise.resolve(response as never),
        outline: () => Promise.reject(new Error('not asked for')),
      },
      () => undefined,
      (error) => {
        throw error
      },
    )
    expect(source.takeSuspects()).toEqual([])
    await source.whenRead(257)
    expect(source.takeSuspects()).toEqual([[258, 'red \u202E']])
    expect(source.takeSuspects()).toEqual([])
  })
})
