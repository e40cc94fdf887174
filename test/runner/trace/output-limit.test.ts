import { describe, expect, test } from 'vitest'

import { OutputLimit } from '../../../src/runner/trace/output-limit.js'
import { filtered } from './support/pieces.js'

const NOTICE =
  "\n\x1b[33;1mJob's log exceeded limit of 10 bytes.\n" +
  'Job execution will continue but no more output will be collected.\x1b[0;m\n'

function seam(bytes: number): string {
  return `\x1b[33;1m${bytes} bytes of the log were left out here; its last lines follow.\x1b[0;m\n`
}

function start(name: string): string {
  return `section_start:1:${name}\r\x1b[0K`
}

function end(name: string): string {
  return `section_end:2:${name}\r\x1b[0K`
}

function limited(tail: number, ...pieces: string[]): string {
  return filtered(new OutputLimit(10, tail), pieces).toString()
}

describe('log limit', () => {
  test('prints the notice at once', () => {
    expect(new OutputLimit(10).push(Buffer.from('0123456789abc')).toString()).toBe(`0123456789${NOTICE}`)
  })

  test('prints the last lines at the end, from the beginning of a line', () => {
    const lines = 'two\nthree\nfour\nfive\nsix\nseven\n'
    expect(limited(19, 'one\n', lines)).toBe(
      `one\ntwo\nth${NOTICE}${seam('ree\nfour\n'.length)}five\nsix\nseven\n`,
    )
  })

  test('cuts one long line at a character boundary', () => {
    expect(limited(7, '0123456789', '€'.repeat(10))).toBe(`0123456789${NOTICE}${seam(24)}€€`)
  })

  test('omits nothing when little output is beyond the limit', () => {
    expect(limited(100, '0123456789', 'abc\n')).toBe(`0123456789${NOTICE}${seam(0)}abc\n`)
  })

  test('prints no notice for output that just fits', () => {
    expect(limited(100, '01234', '56789')).toBe('0123456789')
  })
})

describe('sections around omitted output', () => {
  test('a section that ended there is ended', () => {
    const limit = new OutputLimit(start('a').length, 30)
    const text = filtered(limit, [start('a'), 'x'.repeat(50), end('a'), `${'y'.repeat(50)}\n`, 'last\n'])
    expect(text.toString()).toContain(
      `${end('a')}${seam(50 + end('a').length + 26)}${'y'.repeat(24)}\nlast\n`,
    )
  })

  test('a section that began there is begun; one that began and ended there is not', () => {
    const left = start('gone') + end('gone') + start('b') + 'x'.repeat(100)
    expect(limited(30, '0123456789', left, '\nlast\n', end('b'))).toBe(
      `0123456789${NOTICE}${start('b')}${seam(left.length + 1)}last\n${end('b')}`,
    )
  })

  test('a marker in the last lines is unchanged', () => {
    const lines = `${'x'.repeat(60)}\n${start('b')}last\n`
    expect(limited(40, '0123456789', lines)).toBe(`0123456789${NOTICE}${seam(61)}${start('b')}last\n`)
  })
})
