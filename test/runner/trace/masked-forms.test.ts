import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createTraceFilter } from '../../../src/runner/trace/trace-filter.js'
import { fuzzRuns } from '../../support/fuzz-runs.js'
import { filtered } from './support/pieces.js'

function shown(secrets: string[], text: string): string {
  const filter = createTraceFilter({ secrets, tokenPrefixes: [], limit: 1_000_000 })
  return filtered(filter, [text]).toString()
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const VALUE = "it's a $ecret/wörd~100%?"

const PEM = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDBj08sp5++4anG
cmQxJjAkBgNVBAoTHVByb2dyZXNzIFNvZnR3YXJlIENvcnBvcmF0aW9uMSAwHgYD
VQQDDBcqLmF3cy10ZXN0LnByb2dyZXNz
-----END PRIVATE KEY-----`

describe('masking of values', () => {
  test.each([
    ['as it is', VALUE],
    ['in base64', base64(VALUE)],
    ['in base64 without padding', base64(VALUE).replace(/=+$/, '')],
    ['in base64 with a newline, as echo gives it', base64(`${VALUE}\n`)],
    ['in base64 of the URL alphabet', Buffer.from(VALUE).toString('base64url')],
    ['as encodeURIComponent has it', encodeURIComponent(VALUE)],
    ['with lower-case percent escapes', encodeURIComponent(VALUE).replace(/%../g, (e) => e.toLowerCase())],
    ['in a form', new URLSearchParams({ v: VALUE }).toString().slice('v='.length)],
    ['in a path', 'it%27s%20a%20%24ecret/w%C3%B6rd~100%25%3F'],
    ['in JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['in JSON of ASCII', "it's a $ecret/w\\u00f6rd~100%?"],
    ['in JSON with escaped slashes', "it's a $ecret\\/wörd~100%?"],
    ['in single quotes of a shell', "it'\\''s a $ecret/wörd~100%?"],
  ])('%s', (_name, text) => {
    expect(shown([VALUE], `x ${text} y`)).toBe('x [MASKED] y')
  })

  test('covers base64 of a longer text at any offset', () => {
    for (const before of ['', 'u', 'us', 'use', 'user:']) {
      for (const after of ['', '@', '@h', '@host']) {
        const encoded = base64(`${before}s3cr3t-t0ken${after}`)
        const text = shown(['s3cr3t-t0ken'], encoded)
        expect(text, `${before}/${after}`).toMatch(/^[\w+/=]{0,7}\[MASKED\][\w+/=]{0,10}$/)
      }
    }
  })

  test('covers the lines of a long base64 value', () => {
    const secret = 'a-token-that-is-longer-than-one-line-of-base64-'.repeat(4)
    for (const width of [64, 76]) {
      const lines = base64(secret).replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
      expect(shown([secret], lines).replace(/\s/g, '')).toMatch(/^(\[MASKED\])+$/)
    }
  })

  test('covers each line of a value', () => {
    const line = PEM.split('\n')[2] ?? ''
    expect(shown([PEM], `found ${line} there`)).toBe('found [MASKED] there')
    expect(shown([PEM], `found ${base64(line)} there`)).toBe('found [MASKED] there')
  })

  test('covers a value with any line ends', () => {
    expect(shown([PEM], PEM)).toBe('[MASKED]')
    expect(shown([PEM], PEM.replaceAll('\n', '\r\n'))).toBe('[MASKED]')
    expect(shown([PEM.replaceAll('\n', '\r\n')], PEM)).toBe('[MASKED]')
    expect(shown([PEM], JSON.stringify({ key: PEM }))).toBe('{"key":"[MASKED]"}')
  })

  test('covers random values in random encodings', () => {
    const secret = fc.string({ unit: 'binary', minLength: 8, maxLength: 80 }).filter((text) => {
      return text.trim() === text && Buffer.byteLength(text) >= 8
    })
    const encoders = fc.constantFrom<(text: string) => string>(
      (text) => text,
      base64,
      (text) => base64(`${text}\n`),
      encodeURIComponent,
      (text) => JSON.stringify(text).slice(1, -1),
    )
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), encoders, (secrets, encode) => {
        const encoded = secrets.map(encode)
        const text = shown(secrets, encoded.join('\n\n'))
        for (const form of encoded) expect(text).not.toContain(form)
      }),
      fuzzRuns(100),
    )
  })
})

describe('text without secrets is unchanged', () => {
  test.each([
    ['what a short value would be in base64', ['abc'], base64('abc')],
    ['what a short value would be with percent signs', ['a b'], 'a%20b'],
    ['short lines of a long value', ['line one is long\nfi\nline three is long'], 'fi'],
    ['rules and brackets that are lines of a long value', ['{\n----------\n}'], '---------- { }'],
    ['the frame of a key', [PEM], '-----BEGIN PRIVATE KEY-----'],
  ])('%s', (_name, secrets, text) => {
    expect(shown(secrets, text)).toBe(text)
  })

  test('a short value is masked only in its plain form', () => {
    expect(shown(['abc'], 'abc YWJj')).toBe('[MASKED] YWJj')
  })
})
