import { describe, expect, test } from 'vitest'

import type { ByteFilter } from '../../../src/runner/trace/byte-filter.js'
import { PhraseMasker } from '../../../src/runner/trace/phrase-masker.js'
import { createTraceFilter } from '../../../src/runner/trace/trace-filter.js'

function filtered(filter: ByteFilter, pieces: (string | Buffer)[]): string {
  const parts = pieces.map((piece) => filter.push(Buffer.from(piece)))
  return Buffer.concat([...parts, filter.flush()]).toString()
}

function traceFilter(secrets: string[] = [], tokenPrefixes: string[] = []) {
  return createTraceFilter({ secrets, tokenPrefixes, limit: 1_000_000 })
}

describe('masked values', () => {
  test.each([
    ['in the middle', ['secret'], ['a secret b'], 'a [MASKED] b'],
    ['split over two writes', ['secret'], ['a sec', 'ret b'], 'a [MASKED] b'],
    ['split into bytes', ['secret'], Array.from('xsecrety'), 'x[MASKED]y'],
    ['at the very end', ['secret'], ['a secret'], 'a [MASKED]'],
    ['begun but not finished', ['secret'], ['a secre'], 'a secre'],
    ['begun, then another beginning', ['abac'], ['abab', 'ac'], 'ab[MASKED]'],
    ['the longer of two', ['pass', 'password'], ['a password'], 'a [MASKED]'],
    ['the shorter when the longer does not come', ['pass', 'password'], ['a passw', 'ay'], 'a [MASKED]way'],
    ['overlapping ones as one', ['abcd', 'cdef'], ['xabcdefx'], 'x[MASKED]x'],
    ['next to each other', ['ab'], ['ababx'], '[MASKED][MASKED]x'],
    ['a phrase that overlaps itself', ['aa'], ['aaa', 'aab'], '[MASKED]b'],
    ['one inside another', ['b', 'abc'], ['ab', 'cb'], '[MASKED][MASKED]'],
    ['several lines', ['one\ntwo'], ['one\n', 'two\n'], '[MASKED]\n'],
    ['characters of several bytes', ['pässwörd'], ['x pässw', 'örd'], 'x [MASKED]'],
  ])('%s', (_name, phrases, pieces, expected) => {
    expect(filtered(new PhraseMasker(phrases), pieces)).toBe(expected)
  })

  test('no byte of any occurrence is given out, however the text is split', () => {
    const random = randomNumbers(20260101)
    for (let round = 0; round < 400; round++) {
      const phrases = Array.from({ length: 1 + random(4) }, () => randomText(random, 1 + random(5)))
      const text = randomText(random, random(60))
      const pieces = randomSplit(random, text)
      expect(filtered(new PhraseMasker(phrases), pieces), `${text} / ${phrases.join(' ')}`).toBe(
        maskedAtOnce(text, phrases),
      )
    }
  })

  test('values are trimmed, and empty ones are not masked', () => {
    expect(filtered(traceFilter([' secret\n', '', '  ']), ['a secret b'])).toBe('a [MASKED] b')
  })
})

describe('tokens and parameters', () => {
  test.each([
    ['a token keeps its prefix', ['token glpat-abc_DEF-123 end'], 'token glpat-[MASKED] end'],
    ['also when its prefix is split', ['gl', 'pat', '-abc', 'def.'], 'glpat-[MASKED]'],
    ['and ends at the first other byte', ['glrt-abc,def'], 'glrt-[MASKED],def'],
    ['a prefix alone stays', ['glpat- x'], 'glpat- x'],
    ['a prefix of the coordinator counts', ['mine-abc'], 'mine-[MASKED]'],
    ['a parameter of an address', ['/x?private_token=abc&b=1'], '/x?private_token=[MASKED]&b=1'],
    ['in any case', ['/x?a=1&X-Amz-Signature=ab%20c d'], '/x?a=1&X-Amz-Signature=[MASKED] d'],
    ['another parameter stays', ['/x?token=abc'], '/x?token=abc'],
  ])('%s', (_name, pieces, expected) => {
    expect(filtered(traceFilter([], ['mine-']), pieces)).toBe(expected)
  })
})

describe('bytes', () => {
  test('what is no UTF-8 becomes U+FFFD, a character split over two writes stays', () => {
    const euro = Buffer.from('€')
    const pieces = [Buffer.from([0x61, 0xff]), euro.subarray(0, 1), euro.subarray(1), Buffer.from([0xc3])]
    expect(filtered(traceFilter(), pieces)).toBe('a\ufffd€\ufffd')
  })

  test('carriage returns and escapes pass unharmed', () => {
    expect(filtered(traceFilter(['zzz']), ['10%\r20%\r\x1b[0Kdone\n'])).toBe('10%\r20%\r\x1b[0Kdone\n')
  })

  test('output beyond the limit is replaced by one notice, without splitting a character', () => {
    const filter = createTraceFilter({ secrets: [], tokenPrefixes: [], limit: 6 })
    expect(filtered(filter, ['abcd', '€€', 'more'])).toBe(
      "abcd\n\x1b[33;1mJob's log exceeded limit of 6 bytes.\n" +
        'Job execution will continue but no more output will be collected.\x1b[0;m\n',
    )
  })
})

/** The same by looking at the whole text: which bytes are covered, and where one mask ends and the next begins. */
function maskedAtOnce(text: string, phrases: string[]): string {
  const ranges: [number, number][] = []
  for (let start = 0; start < text.length; start++) {
    for (const phrase of phrases) {
      if (text.startsWith(phrase, start)) ranges.push([start, start + phrase.length])
    }
  }
  let result = ''
  let position = 0
  ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  for (const [start, end] of ranges) {
    if (start >= position) result += `${text.slice(position, start)}[MASKED]`
    position = Math.max(position, end)
  }
  return result + text.slice(position)
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomText(random: (below: number) => number, length: number): string {
  return Array.from({ length }, () => 'abc'[random(3)]).join('')
}

function randomSplit(random: (below: number) => number, text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const length = 1 + random(7)
    pieces.push(text.slice(start, start + length))
    start += length
  }
  return pieces
}
