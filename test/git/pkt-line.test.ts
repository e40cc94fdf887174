import { expect, test } from 'vitest'

import { ByteReader } from '../../src/git/byte-reader.js'
import { FLUSH, pktLine, readPktLine, sideband } from '../../src/git/pkt-line.js'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const reader = (bytes: Buffer, size = 1): ByteReader => new ByteReader(inPieces(bytes, size))

test('framed data is read back for any chunking', async () => {
  const bytes = Buffer.concat([pktLine('hello\n'), FLUSH, pktLine('')])
  for (const size of [1, 3, 100]) {
    const lines = reader(bytes, size)
    expect(await readPktLine(lines)).toEqual({ raw: pktLine('hello\n'), content: Buffer.from('hello\n') })
    expect(await readPktLine(lines)).toBe('flush')
    expect(await readPktLine(lines)).toEqual({ raw: pktLine(''), content: Buffer.alloc(0) })
    expect(await readPktLine(lines)).toBeUndefined()
  }
})

test.each(['zzzz', '0003', '0001', '0009ab'])('%j is rejected', async (text) => {
  await expect(readPktLine(reader(Buffer.from(text)))).rejects.toThrow('not a git request')
})

test('a long text is split into several lines of its channel', () => {
  const bytes = sideband(2, 'x'.repeat(70_000))
  expect(bytes.subarray(0, 5)).toEqual(Buffer.from('fff0\x02'))
  expect(bytes.length).toBe(70_000 + 2 * 5)
})

test('the rest of the stream is intact after counted reads', async () => {
  const stream = reader(Buffer.from('one\ntwothree'), 2)
  expect(await stream.line()).toBe('one')
  expect(await stream.skip(3)).toBe(true)
  const rest: Buffer[] = []
  for await (const chunk of stream.rest()) rest.push(chunk)
  expect(Buffer.concat(rest).toString()).toBe('three')
})
