import { expect, test } from 'vitest'

import { linesFromEnd } from '../../src/lib/lines-from-end.js'

function fileOf(text: string, reads: number[] = []) {
  const bytes = Buffer.from(text)
  return {
    size: bytes.length,
    read: async (start: number, end: number) => {
      reads.push(end - start)
      return bytes.subarray(start, end)
    },
  }
}

async function linesOf(text: string, maxLineBytes = 1000): Promise<string[]> {
  const lines: string[] = []
  for await (const line of linesFromEnd(fileOf(text), maxLineBytes)) lines.push(line)
  return lines
}

test.each([
  ['', []],
  ['one', ['one']],
  ['one\ntwo', ['two', 'one']],
  ['one\ntwo\n', ['', 'two', 'one']],
  ['\n', ['', '']],
  ['größe\n99 %', ['99 %', 'größe']],
])('%j', async (text, lines) => {
  expect(await linesOf(text)).toEqual(lines)
})

test('lines across chunk boundaries are complete', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `zeile ${index} ü`)
  expect(await linesOf(lines.join('\n'))).toEqual(lines.reverse())
})

test('a line over the limit is cut to its end, also across chunks', async () => {
  const long = `begin ${'x'.repeat(200_000)} end`
  expect(await linesOf(`first\n${long}\nlast`, 10)).toEqual(['last', 'xxxxxx end', 'first'])
})

test('a reader that stops early reads only what it needs', async () => {
  const reads: number[] = []
  for await (const line of linesFromEnd(fileOf(`${'line\n'.repeat(100_000)}wanted\n`, reads), 100)) {
    if (line === 'wanted') break
  }
  expect(reads).toHaveLength(1)
})
