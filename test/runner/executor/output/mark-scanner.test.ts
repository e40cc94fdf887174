import { expect, test } from 'vitest'

import { MarkScanner } from '../../../../src/runner/executor/output/mark-scanner.js'

/** What a scanner finds in a text that arrives in pieces of `size` bytes. */
function scan(text: string, size: number) {
  const scanner = new MarkScanner('ab12')
  const bytes = Buffer.from(text)
  let before = ''
  for (let at = 0; at < bytes.length; at += size) {
    const found = scanner.push(bytes.subarray(at, at + size))
    before += found.before.toString()
    if (found.mark) return { before, text: found.mark.text }
  }
  return { before: before + scanner.flush().toString() }
}

const SIZES = [1, 2, 3, 7, 64, 1000]

test.each([
  ['a mark', 'output\0ab12 0 1\nmore', { before: 'output', text: '0 1' }],
  [
    'a mark behind what looks like one',
    '\0ab\0\0ab12\0\0ab12 7 0\n',
    { before: '\0ab\0\0ab12\0', text: '7 0' },
  ],
  ['no mark of another job', 'output\0ab13 0 1\nmore', { before: 'output\0ab13 0 1\nmore' }],
  ['no mark that is too long', `\0ab12 ${'x'.repeat(65)}\n`, { before: `\0ab12 ${'x'.repeat(65)}\n` }],
  ['no unfinished mark', 'output\0ab12 0', { before: 'output\0ab12 0' }],
])('%s is found, whatever the pieces', (_, text, found) => {
  for (const size of SIZES) expect(scan(text, size)).toEqual(found)
})
