import { describe, expect, test } from 'vitest'

import { type ByteFilter, PhraseMasker } from '../../../src/runner/trace/byte-filters.js'
import { createTraceFilter } from '../../../src/runner/trace/trace-filter.js'
import { filtered } from './support/pieces.js'

function text(filter: ByteFilter, pieces: (string | Buffer)[]): string {
  return filtered(filter, pieces).toString()
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
    expect(text(new PhraseMasker(phrases), pieces)).toBe(expected)
  })

  test('values are trimmed, and empty ones are not masked', () => {
    expect(text(traceFilter([' secret\n', '', '  ']), ['a secret b'])).toBe('a [MASKED] b')
  })
})

describe('masking of tokens and URL parameters', () => {
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
    expect(text(traceFilter([], ['mine-']), pieces)).toBe(expected)
  })
})

describe('bytes in the log', () => {
  test('invalid UTF-8 becomes U+FFFD, and a character split over two writes is kept', () => {
    const euro = Buffer.from('€')
    const pieces = [Buffer.from([0x61, 0xff]), euro.subarray(0, 1), euro.subarray(1), Buffer.from([0xc3])]
    expect(text(traceFilter(), pieces)).toBe('a\ufffd€\ufffd')
  })

  test('carriage returns and escapes are kept', () => {
    expect(text(traceFilter(['zzz']), ['10%\r20%\r\x1b[0Kdone\n'])).toBe('10%\r20%\r\x1b[0Kdone\n')
  })

  test('a line of 4 MB passes without being buffered', () => {
    const filter = createTraceFilter({ secrets: ['a secret', 'xxxy'], tokenPrefixes: [], limit: 2 ** 40 })
    const chunk = Buffer.from('x\ry://'.repeat(10_000))
    let held = 0
    for (let read = 0; read < 4_000_000; read += chunk.length) {
      held += chunk.length - filter.push(chunk).length
      expect(held).toBeLessThan(8192)
    }
    expect(filter.flush()).toHaveLength(held)
  })

  test('output beyond the limit is replaced by one notice at a character boundary', () => {
    const filter = createTraceFilter({ secrets: [], tokenPrefixes: [], limit: 6 })
    expect(text(filter, ['abcd', '€€', 'more'])).toBe(
      "abcd\n\x1b[33;1mJob's log exceeded limit of 6 bytes.\n" +
        'Job execution will continue but no more output will be collected.\x1b[0;m\n' +
        '\x1b[33;1m0 bytes of the log were left out here; its last lines follow.\x1b[0;m\n€€more',
    )
  })
})
