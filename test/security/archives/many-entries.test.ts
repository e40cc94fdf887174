import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { ByteSpan } from '../../../src/archive/random-access.js'
import {
  ArchiveIndexes,
  type StoredArchive,
} from '../../../src/coordinator/ci/storage/artifacts/archive-indexes.js'
import { openZipEntry } from '../../../src/coordinator/ci/storage/artifacts/zip-entry.js'
import type { ByteRange, ExpectedBlob } from '../../../src/coordinator/ci/storage/blob-store.js'
import { FolderBlobStore } from '../../../src/coordinator/ci/storage/folder-blob-store.js'
import { deferred } from '../../../src/lib/deferred.js'
import { hostileZip } from '../../support/hostile-zip.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

/** Enough for some reads of the table of contents. */
const ENTRIES = IS_NIGHTLY ? 60_000 : 15_000
const LARGE = zipOf(ENTRIES)
const NEVER = new AbortController().signal

test('one file of a zip with 60,000 entries costs one read of the table of contents, and the next file none', async () => {
  const count = 60_000
  const zip = zipOf(count)
  const blobs = new CountedBlobs(await tempDir())
  await blobs.write('large', Readable.from([zip]))
  const indexes = new ArchiveIndexes()
  const open = async (index: number) => {
    const place = { key: 'large', size: zip.length, path: nameOf(index) }
    const entry = await openZipEntry({ blobs, indexes }, place, NEVER)
    return entry && text(entry.body)
  }
  expect(await open(count - 1)).toBe(String(count - 1))
  expect(blobs.reads).toBeLessThan(60)
  expect(blobs.bytes).toBeLessThan(tableBytesOf(zip) * 1.1)
  blobs.reads = 0
  expect(await open(0)).toBe('0')
  expect(await open(count)).toBeUndefined()
  expect(blobs.reads).toBe(2) // the header and the bytes of the one file
})

test('requests for one archive at the same time share the read of its table of contents', async () => {
  const source = new CountedSource()
  const indexes = new ArchiveIndexes()
  const names = [0, 1, 2, 3].map(nameOf)
  const found = await Promise.all(names.map((name) => indexes.find('large', source, name, NEVER)))
  expect(found.map((entry) => entry?.name)).toEqual(names)
  expect(source.bytes).toBeLessThan(tableBytesOf(LARGE) * 1.1)
})

test('the search ends when the last client that waits for it leaves', async () => {
  const source = new CountedSource()
  const indexes = new ArchiveIndexes()
  const [first, second] = [new AbortController(), new AbortController()]
  const searches = [first, second].map(({ signal }) => indexes.find('large', source, nameOf(1), signal))
  await source.stopAt(3)
  first.abort(new Error('first left'))
  await expect(searches[0]).rejects.toThrow('first left')
  await source.stopAt(5) // the other one still waits
  second.abort(new Error('second left'))
  await expect(searches[1]).rejects.toThrow('second left')
  source.goOn()
  // Another archive is read from beginning to end at the same time.
  expect(await indexes.find('other', new CountedSource(), nameOf(1), NEVER)).toBeDefined()
  expect(source.reads).toBe(5)
})

test('an archive whose names would fill the memory is searched without being kept', async () => {
  const source = new CountedSource()
  const indexes = new ArchiveIndexes({ ofOne: 1000, ofAll: 2000 })
  const find = (index: number) => indexes.find('large', source, nameOf(index), NEVER)
  expect(await find(ENTRIES - 1)).toMatchObject({ name: nameOf(ENTRIES - 1) })
  expect(await find(ENTRIES)).toBeUndefined()
  const small = new CountedSource(hostileZip([{ name: 'a' }]))
  for (let archive = 0; archive < 20; archive++) {
    expect(await indexes.find(`small ${archive}`, small, 'a', NEVER)).toBeDefined()
  }
  const { reads } = small
  await indexes.find('small 19', small, 'a', NEVER)
  expect(small.reads).toBe(reads) // kept
  await indexes.find('small 0', small, 'a', NEVER)
  expect(small.reads).toBeGreaterThan(reads) // it had to make room
})

test('an archive whose names would fill the memory is not listed', async () => {
  const indexes = new ArchiveIndexes({ ofOne: 1000, ofAll: 2000 })
  const range = { offset: 0, count: 10 }
  expect(await indexes.list('large', new CountedSource(), '', range, NEVER)).toBe('too-large')
})

test('of two entries with one name, or names in another encoding, a download finds the first', async () => {
  const zip = hostileZip([
    { name: 'ä/ö', content: 'one' },
    { name: 'ä/ö', content: 'two' },
    { name: 'a\\b', content: 'three' },
  ])
  const blobs = new CountedBlobs(await tempDir())
  await blobs.write('zip', Readable.from([zip]))
  const open = async (path: string) => {
    const place = { key: 'zip', size: zip.length, path }
    const entry = await openZipEntry({ blobs, indexes: new ArchiveIndexes() }, place, NEVER)
    return entry && text(entry.body)
  }
  expect(await Promise.all(['ä/ö', 'a\\b', 'a/b'].map(open))).toEqual(['one', 'three', undefined])
})

test('a truncated table of contents gives the entries before its end', async () => {
  const cut = Buffer.concat([LARGE.subarray(0, LARGE.length - 22), LARGE.subarray(-22)])
  cut.writeUInt16LE(ENTRIES + 1, cut.length - 12)
  const indexes = new ArchiveIndexes()
  const source = new CountedSource(cut)
  expect(await indexes.find('cut', source, nameOf(7), NEVER)).toMatchObject({ name: nameOf(7) })
  expect(await indexes.find('cut', source, 'missing', NEVER)).toBeUndefined()
})

function zipOf(entries: number): Buffer {
  return hostileZip(
    Array.from({ length: entries }, (_, index) => ({ name: nameOf(index), content: String(index) })),
  )
}

/** Of the table of contents, with its end. */
function tableBytesOf(zip: Buffer): number {
  return zip.length - zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
}

function nameOf(index: number): string {
  return `folder/of/many/files/${String(index).padStart(6, '0')}.txt`
}

class CountedBlobs extends FolderBlobStore {
  reads = 0
  bytes = 0

  override async readPart(key: string, range: ByteRange, expected: ExpectedBlob): Promise<Readable> {
    this.reads++
    const stream = await super.readPart(key, range, expected)
    return stream.on('data', (chunk: Buffer) => (this.bytes += chunk.length))
  }
}

/** A zip in memory whose reads can be held. */
class CountedSource implements StoredArchive {
  readonly compare = () => Promise.resolve()

  readonly size: number
  reads = 0
  bytes = 0
  private stop: { at: number; reached: () => void } | undefined
  private gate = deferred()

  constructor(private readonly zip = LARGE) {
    this.size = zip.length
  }

  async read({ start, end }: ByteSpan): Promise<Readable> {
    this.reads++
    this.bytes += end - start
    if (this.stop?.at === this.reads) {
      this.stop.reached()
      await this.gate.promise
    }
    return Readable.from([this.zip.subarray(start, end)])
  }

  /** Resolves once the read of this number is asked for; it is not served before `goOn`. */
  async stopAt(read: number): Promise<void> {
    const reached = deferred()
    this.stop = { at: read, reached: () => reached.resolve() }
    this.goOn()
    await reached.promise
  }

  goOn(): void {
    const { resolve } = this.gate
    this.gate = deferred()
    resolve()
  }
}
