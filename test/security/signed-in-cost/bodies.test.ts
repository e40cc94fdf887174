import { expect, test } from 'vitest'

import { JsonBounds } from '../../../src/coordinator/http/parameters/json-bounds.js'

/** The bytes that are read of an endless body before it is refused. */
function readUntilRefused(
  start: string,
  part: (index: number) => string,
): { message: string; bytes: number } {
  const bounds = new JsonBounds()
  let bytes = 0
  for (let index = 0; bytes < 64 * 1024 * 1024; index++) {
    const chunk = Buffer.from(index === 0 ? start : part(index))
    bytes += chunk.length
    try {
      bounds.read(chunk)
    } catch (error) {
      return { message: (error as Error).message, bytes }
    }
  }
  throw new Error('The body was read whole')
}

test.each([
  ['nested lists', '{"x":', () => '[', 'at most 64 levels', 100],
  ['nested objects', '{"x":', () => '{"a":', 'at most 64 levels', 1000],
  [
    'names of one object',
    '{',
    (index: number) => `"k${index}":1,`,
    'at most 4096 names in an object',
    50_000,
  ],
  ['small objects', '{"x":[', (index: number) => `{"k${index}":1},`, 'at most 50000 values', 500_000],
  ['empty lists', '{"x":[', () => '[],', 'at most 50000 values', 100_000],
  ['numbers', '{"x":[', () => '1,', 'at most 50000 values', 110_000],
])('a JSON body of endless %s is refused while it arrives', (_, start, part, message, most) => {
  const refused = readUntilRefused(start, part)
  expect(refused.message).toContain(message)
  expect(refused.bytes).toBeLessThan(most)
})

test('brackets, commas and escaped quotes in the texts of a JSON body do not count', () => {
  const text = JSON.stringify({ content: '"[{,:\\'.repeat(100_000) })
  const bounds = new JsonBounds()
  // One byte at a time: texts and escapes straddle chunks.
  for (const byte of Buffer.from(text)) bounds.read(Buffer.of(byte))
  expect(() => bounds.read(Buffer.from(text))).not.toThrow()
})

test('a commit of 10,000 files is within the bounds', () => {
  const file = { action: 'create', file_path: 'a', content: 'b' }
  const body = JSON.stringify({ branch: 'main', actions: Array(10_000).fill(file) })
  expect(() => new JsonBounds().read(Buffer.from(body))).not.toThrow()
})
