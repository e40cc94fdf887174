import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { OpenInput } from '../../src/archive/archive-input.js'
import { extractZip } from '../../src/archive/extract-zip.js'
import { FileSource } from '../../src/archive/random-access.js'
import { ZipReader } from '../../src/archive/zip-reader.js'
import { dataDescriptor, directoryHeader, endRecords, localHeader } from '../../src/archive/zip-records.js'
import { zipInputs } from '../../src/archive/zip-writer.js'
import { fuzzRuns } from '../support/fuzz-runs.js'
import { testAtNight } from '../support/nightly.js'
import { makeTempDir, tempDir } from '../support/temp-dir.js'
import { zipFiles } from '../support/zip-files.js'

const run = promisify(execFile)
const GIBIBYTE = 1024 ** 3

const TRAITS = { mode: 0o644, modified: new Date('2024-05-06T07:08:10Z'), uid: 1000, gid: 70_000 }

function file(name: string, content: Buffer): OpenInput {
  return async () => ({ ...TRAITS, kind: 'file', name, content })
}

/** A tree with small and large files of all kinds of content. */
async function makeTree(root: string): Promise<string[]> {
  const files: Record<string, Buffer> = {
    'a/text': Buffer.alloc(100_000, 'some text\n'),
    'a/empty': Buffer.alloc(0),
    'a/noise': randomBytes(100_000),
    'large text': Buffer.alloc(3_000_000, 'some longer text\n'),
    'large noise': randomBytes(3_000_000),
    'größe ☃': Buffer.from('snow'),
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
    await utimes(join(root, name), TRAITS.modified, TRAITS.modified)
  }
  await symlink('text', join(root, 'a/link'))
  return ['a/', 'a/empty', 'a/link', 'a/noise', 'a/text', 'größe ☃', 'large noise', 'large text']
}

async function writeZip(root: string, names: string[], level = 4): Promise<string> {
  const path = join(await tempDir(), 'a.zip')
  await pipeline(zipFiles(root, names, { level }), createWriteStream(path))
  return path
}

test('unzip and python read names, links, modes and times', async () => {
  const root = await tempDir()
  const zip = await writeZip(root, await makeTree(root))
  const target = await tempDir()
  await run('unzip', ['-q', zip, '-d', target])
  await run('diff', ['-r', '--no-dereference', root, target])
  const { stdout } = await run('stat', ['-c', '%a %Y %F', join(target, 'a/text')])
  expect(stdout).toBe('644 1714979290 regular file\n')
  const script = `import zipfile; z = zipfile.ZipFile(${JSON.stringify(zip)}); print(z.testzip(), len(z.namelist()))`
  expect((await run('python3', ['-c', script])).stdout).toBe('None 8\n')
})

test('the same files produce the same bytes', async () => {
  const root = await tempDir()
  const names = await makeTree(root)
  const digests = new Set<string>()
  for (let turn = 0; turn < 5; turn++) {
    digests.add(
      createHash('sha256')
        .update(await buffer(zipFiles(root, names, { level: 4 })))
        .digest('hex'),
    )
  }
  expect(digests.size).toBe(1)
})

test('compressible files are deflated, others are stored', async () => {
  const root = await tempDir()
  const zip = await writeZip(root, await makeTree(root))
  const source = await FileSource.open(zip)
  const reader = await ZipReader.open(source)
  const packed: Record<string, number> = {}
  for await (const entry of reader.entries()) packed[entry.name] = entry.compressedSize
  await source.close()
  expect(packed['a/text']).toBeLessThan(1000)
  expect(packed['a/noise']).toBe(100_000)
  expect(packed['large text']).toBeLessThan(30_000)
  expect(packed['large noise']).toBeLessThan(3_001_000)
})

test('all names and contents survive a round trip', async () => {
  const component = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => !/[/\\\0\ufffd]/.test(text) && !/^(\.+|[A-Za-z]:)$/.test(text))
  const names = fc.uniqueArray(
    fc.array(component, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    { maxLength: 8 },
  )
  const content = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes))
  await fc.assert(
    fc.asyncProperty(names, content, fc.integer({ min: 0, max: 9 }), async (all, bytes, level) => {
      const used = all.filter((name) => !all.some((other) => other.startsWith(`${name}/`)))
      const { path, remove } = await makeTempDir()
      const zip = join(path, 'a.zip')
      await pipeline(
        zipInputs(
          used.map((name) => file(name, bytes)),
          { level },
        ),
        createWriteStream(zip),
      )
      expect(await extractZip(zip, path)).toEqual({ entries: used.length, refused: [] })
      for (const name of used) expect((await readFile(join(path, name))).equals(bytes)).toBe(true)
      await remove()
    }),
    fuzzRuns(12),
  )
})

testAtNight('more than 65,535 entries are stored, and other programs read them', async () => {
  const count = 66_000
  const inputs = function* () {
    for (let index = 0; index < count; index++) yield file(`f${index}`, Buffer.from('x'))
  }
  const zip = join(await tempDir(), 'a.zip')
  await pipeline(zipInputs(inputs(), { level: 0 }), createWriteStream(zip))
  const script = `import zipfile; z = zipfile.ZipFile(${JSON.stringify(zip)}); print(len(z.namelist()), z.read('f65999'))`
  expect((await run('python3', ['-c', script])).stdout).toBe(`${count} b'x'\n`)
  const source = await FileSource.open(zip)
  const reader = await ZipReader.open(source)
  let read = 0
  for await (const entry of reader.entries()) read += entry.size
  await source.close()
  expect(read).toBe(count)
})

test('other programs read sizes and offsets beyond 4 GiB', async () => {
  const zip = join(await tempDir(), 'a.zip')
  const size = 5 * GIBIBYTE
  const record = {
    ...TRAITS,
    name: 'huge',
    unixMode: 0o100644,
    method: 'stored' as const,
    crc: 0,
    size,
    packedSize: size,
    offset: 0,
    isStreamed: true,
    isLarge: true,
  }
  const start = localHeader(record)
  const second = { ...record, name: 'behind', size: 0, packedSize: 0, isStreamed: false, isLarge: false }
  const secondOffset = start.length + size + dataDescriptor(record).length
  second.offset = secondOffset
  const tail = Buffer.concat([dataDescriptor(record), localHeader(second)])
  const directory = Buffer.concat([directoryHeader(record), directoryHeader(second)])
  const offset = start.length + size + tail.length
  const end = endRecords({ entries: 2, size: directory.length, offset })
  // The bytes between are a hole: it takes no room and no time.
  const handle = await open(zip, 'w')
  await handle.write(start, 0, start.length, 0)
  await handle.write(Buffer.concat([tail, directory, end]), 0, undefined, start.length + size)
  await handle.close()

  const { stdout } = await run('unzip', ['-l', zip])
  expect(stdout).toContain(`${size}`)
  const script = `import zipfile; z = zipfile.ZipFile(${JSON.stringify(zip)}); print([(i.filename, i.file_size, i.header_offset) for i in z.infolist()], z.read('behind'))`
  expect((await run('python3', ['-c', script])).stdout).toBe(
    `[('huge', ${size}, 0), ('behind', 0, ${secondOffset})] b''\n`,
  )
})

test('owners are stored in the extra field that unzip reads', async () => {
  const zip = join(await tempDir(), 'a.zip')
  await pipeline(zipInputs([file('a', Buffer.from('x'))], { level: 0 }), createWriteStream(zip))
  const { stdout } = await run('unzip', ['-Z', '-v', zip])
  expect(stdout).toMatch(/Unix UID\/GID \(any size\)/)
})
