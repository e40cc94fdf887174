import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { ArchiveInput } from '../../src/archive/archive-input.js'
import { copyZipEntries } from '../../src/archive/copy-zip-entries.js'
import type { RandomAccessSource } from '../../src/archive/random-access.js'
import { ZipReader } from '../../src/archive/zip-reader.js'
import { zipInputs } from '../../src/archive/zip-writer.js'
import { hostileZip } from '../support/hostile-zip.js'

const MODIFIED = new Date('2024-05-22T12:43:46Z')

const common = (name: string, mode: number) => ({ name, mode, modified: MODIFIED, uid: 7, gid: 8 })
const file = (name: string, content: string, mode = 0o644): ArchiveInput => ({
  ...common(name, mode),
  kind: 'file',
  content: Buffer.from(content),
})

function sourceOf(zip: Buffer): RandomAccessSource {
  return {
    size: zip.length,
    read: ({ start, end }) => Promise.resolve(Readable.from([zip.subarray(start, end)])),
  }
}

async function copyOf(
  zip: Buffer,
  rename: (name: string) => string | undefined = (name) => name,
): Promise<Buffer> {
  const source = sourceOf(zip)
  const reader = await ZipReader.open(source)
  return buffer(copyZipEntries(source, reader.entries(), rename))
}

async function entriesOf(zip: Buffer) {
  const reader = await ZipReader.open(sourceOf(zip))
  const entries = []
  for await (const entry of reader.entries()) {
    const { name, kind, mode, modified } = entry
    entries.push({ name, kind, mode, modified, content: (await reader.read(entry)).toString() })
  }
  return entries
}

describe('entries copied from a zip', () => {
  const inputs: ArchiveInput[] = [
    file('a/one.txt', 'text '.repeat(1000)),
    file('a/run.sh', 'x', 0o755),
    { ...common('a/b', 0o755), kind: 'directory' },
    { ...common('a/link', 0o777), kind: 'link', target: Buffer.from('one.txt') },
    {
      ...common('a/big', 0o600),
      kind: 'stream',
      size: 100_000,
      content: Readable.from([Buffer.alloc(100_000, 'big ')]),
      close: () => Promise.resolve(),
    },
    file('other/two.txt', 'two'),
  ]

  test('are the same as before, also those that were streamed', async () => {
    const zip = await buffer(
      zipInputs(
        inputs.map((input) => () => Promise.resolve(input)),
        { level: 6 },
      ),
    )
    const copied = await copyOf(zip, (name) => (name.startsWith('a/') ? name : undefined))
    const expected = (await entriesOf(zip)).filter(({ name }) => name.startsWith('a/'))
    expect(expected).toHaveLength(5)
    expect(await entriesOf(copied)).toEqual(expected)
  })

  test('have other names', async () => {
    const zip = hostileZip([{ name: 'a/b/c.txt', content: 'c' }])
    const copied = await copyOf(zip, (name) => name.slice(2))
    expect(await entriesOf(copied)).toMatchObject([{ name: 'b/c.txt', content: 'c' }])
  })

  test('are without names that readers refuse', async () => {
    const zip = hostileZip([{ name: '../a' }, { name: '/b' }, { name: 'c\\d' }, { name: 'ok', content: 'x' }])
    expect(await entriesOf(await copyOf(zip))).toMatchObject([{ name: 'ok', content: 'x' }])
  })

  test('may be none', async () => {
    expect(await entriesOf(await copyOf(hostileZip([{ name: 'a' }]), () => undefined))).toEqual([])
  })

  test('whose bytes are not there end the copy', async () => {
    const zip = hostileZip([{ name: 'a', content: 'text' }])
    const table = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    for (const at of [20, 24]) zip.writeUInt32LE(1_000_000, table + at)
    await expect(copyOf(zip)).rejects.toThrow('ends after the end of the archive')
  })
})
