import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { maskedForms } from '../../../src/masking/masked-forms.js'
import {
  PhraseMasker,
  SecretRunMasker,
  UrlCredentialsMasker,
  Utf8Repair,
} from '../../../src/runner/trace/byte-filters.js'
import { OutputLimit } from '../../../src/runner/trace/output-limit.js'
import { createTraceFilter } from '../../../src/runner/trace/trace-filter.js'
import { fuzzRuns } from '../../support/fuzz-runs.js'
import { limited, phrasesMasked, repaired, runsMasked, urlsMasked } from './support/oracles.js'
import { filtered, readable, textInPieces } from './support/pieces.js'

const RUNS = fuzzRuns(150)

function bytesOf(...texts: string[]): fc.Arbitrary<Buffer> {
  return fc.constantFrom(...texts).map((text) => Buffer.from(text))
}

/** Phrases over few letters overlap, contain and begin one another all the time. */
const phrases = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 }), {
  minLength: 1,
  maxLength: 12,
})
const letters = fc
  .string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  .map((text) => Buffer.from(text))
const anyBytes = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes))
const characters = bytesOf('a', 'é', '€', '🚢', '\ufeff', '\n', '\r')
const urlParts = bytesOf(
  ...['://', ':', '/', '@', 'https://', 'user', 'pass', ' ', '"', 'redis:', 'h1', '?', '\n'],
  'abcdefghijklmnopqrstuvwxyz',
)
const tokenParts = bytesOf('gl', 'pat', '-', 'glpat-', 'glrt-', 'abc', '.', ',', ' ', '_', 'l')
const logParts = bytesOf(
  ...['one line\n', 'x', '€', '\r', 'section_', 'a longer line without an end '],
  ...['a', 'b', 'a.b-c'].flatMap((name) => [
    `section_start:1700000000:${name}\r\x1b[0K`,
    `section_start:1700000000:${name}[collapsed=true]\r\x1b[0K`,
    `section_end:1700000001:${name}\r\x1b[0K`,
  ]),
)

describe('filtering does not depend on chunking', () => {
  test('masked values', () => {
    fc.assert(
      fc.property(phrases, textInPieces(letters), (secrets, { text, pieces }) => {
        expect(readable(filtered(new PhraseMasker(secrets), pieces))).toBe(
          phrasesMasked(readable(text), secrets),
        )
      }),
      RUNS,
    )
  })

  test('masked values of many bytes, beyond the rows of the automaton', () => {
    const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 60, maxLength: 400 })
    const sample = fc.array(secret, { minLength: 6, maxLength: 12 }).chain((secrets) => {
      const half = secrets.map((text) => text.slice(0, 45))
      const tails = secrets.map((text) => text.slice(30))
      return fc.record({
        secrets: fc.constant([...secrets, ...secrets.map((text) => text.slice(5, 50))]),
        written: textInPieces(bytesOf(...secrets, ...half, ...tails, 'a', 'b'), 6),
      })
    })
    fc.assert(
      fc.property(sample, ({ secrets, written: { text, pieces } }) => {
        expect(readable(filtered(new PhraseMasker(secrets), pieces))).toBe(
          phrasesMasked(readable(text), secrets),
        )
      }),
      fuzzRuns(60),
    )
  })

  test('passwords in URLs', () => {
    fc.assert(
      fc.property(textInPieces(fc.oneof(urlParts, anyBytes)), ({ text, pieces }) => {
        expect(readable(filtered(new UrlCredentialsMasker(), pieces))).toBe(urlsMasked(readable(text)))
      }),
      RUNS,
    )
  })

  test('tokens by prefix', () => {
    const introductions = ['glpat-', 'glrt-', '_gl', 'l_', 'gl-g']
    const continues = (byte: number) => /[a-z.-]/.test(String.fromCharCode(byte))
    fc.assert(
      fc.property(textInPieces(tokenParts), ({ text, pieces }) => {
        const masker = new SecretRunMasker({ introductions, ignoreCase: false, continues })
        expect(readable(filtered(masker, pieces))).toBe(runsMasked(readable(text), introductions, continues))
      }),
      RUNS,
    )
  })

  test('valid and invalid characters', () => {
    fc.assert(
      fc.property(textInPieces(fc.oneof(anyBytes, characters)), ({ text, pieces }) => {
        expect(filtered(new Utf8Repair(), pieces)).toEqual(repaired(text))
      }),
      RUNS,
    )
  })

  test('the limit, the last lines and the omitted sections', () => {
    const sizes = fc.record({ limit: fc.nat(300), tail: fc.integer({ min: 1, max: 200 }) })
    fc.assert(
      fc.property(sizes, textInPieces(logParts), (size, { text, pieces }) => {
        // The limit comes behind what makes characters whole.
        const repair = new Utf8Repair()
        const whole = [...pieces.map((piece) => repair.push(piece)), repair.flush()]
        expect(readable(filtered(new OutputLimit(size.limit, size.tail), whole))).toBe(
          limited(readable(text), size.limit, size.tail),
        )
      }),
      RUNS,
    )
  })

  test('all filters together', () => {
    const secrets = fc.array(fc.string({ minLength: 1, maxLength: 24 }), { maxLength: 5 })
    const sample = secrets.chain((values) =>
      fc.record({
        values: fc.constant(values),
        limit: fc.nat(2000),
        written: textInPieces(
          fc.oneof(urlParts, tokenParts, logParts, anyBytes, bytesOf('', ...maskedForms(values))),
          60,
        ),
      }),
    )
    fc.assert(
      fc.property(sample, ({ values, limit, written: { text, pieces } }) => {
        const rules = { secrets: values, tokenPrefixes: ['mine-'], limit }
        expect(readable(filtered(createTraceFilter(rules), pieces))).toBe(
          readable(filtered(createTraceFilter(rules), [text])),
        )
      }),
      RUNS,
    )
  })
})
