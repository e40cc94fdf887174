import { expect, test } from 'vitest'

import { isWholeText, withLineEndsOf } from '../../src/web/editor/file-text.js'

test('a text keeps the ends of its lines', () => {
  expect(withLineEndsOf('a\r\nb\r\n', 'a\nc\n')).toBe('a\r\nc\r\n')
  expect(withLineEndsOf('a\nb\r\n', 'a\nc\n')).toBe('a\nc\n')
  expect(withLineEndsOf('', 'a\nc\n')).toBe('a\nc\n')
})

test('bytes that a text does not have are noticed', () => {
  const decode = (bytes: number[]) =>
    isWholeText(new TextDecoder().decode(Uint8Array.from(bytes)), bytes.length)
  expect(decode([0x61, 0xc3, 0xa4])).toBe(true)
  expect(decode([0x61, 0xe4, 0x62])).toBe(false)
  expect(decode([0xef, 0xbb, 0xbf, 0x61])).toBe(false)
})
