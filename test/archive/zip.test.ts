import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { extractZip } from '../../src/archive/extract-zip.js'
import { ZipReader } from '../../src/archive/zip-reader.js'
import { zipFiles } from '../support/zip-files.js'

const run = promisify(execFile)
const WHEN = new Date('2024-05-06T07:08:10Z')

let directory: string
let source: string
let target: string
let zipFile: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchyard-zip-'))
  source = join(directory, 'source')
  target = join(directory, 'target')
  zipFile = join(directory, 'archive.zip')
  await mkdir(source)
  await mkdir(target)
})

afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

async function zip(names: string[], level = 5): Promise<string[]> {
  const skipped: string[] = []
  const archive = zipFiles(source, names, { level, onSkipped: (name) => skipped.push(name) })
  await pipeline(archive, createWriteStream(zipFile))
  return skipped
}

test('files, directories and links survive a round trip with modes and times', async () => {
  await mkdir(join(source, 'dir/empty'), { recursive: true })
  await writeFile(join(source, 'dir/run.sh'), 'echo')
  await chmod(join(source, 'dir/run.sh'), 0o4751)
  await writeFile(join(source, 'größe ☃.txt'), 'snow')
  await symlink('run.sh', join(source, 'dir/link'))
  await utimes(join(source, 'dir/run.sh'), WHEN, WHEN)
  await chmod(join(source, 'dir/empty'), 0o500)

  await zip(['dir/', 'dir/empty/', 'dir/link', 'dir/run.sh', 'größe ☃.txt'])
  expect(await extractZip(zipFile, target)).toEqual({ entries: 5, refused: [] })

  const script = await lstat(join(target, 'dir/run.sh'))
  expect(script.mode & 0o7777).toBe(0o751)
  expect(script.mtime).toEqual(WHEN)
  expect(await readlink(join(target, 'dir/link'))).toBe('run.sh')
  expect((await lstat(join(target, 'dir/empty'))).mode & 0o777).toBe(0o700)
  expect(await readFile(join(target, 'größe ☃.txt'), 'utf8')).toBe('snow')
})

test.each([0, 1, 9])('a large file at level %i survives a round trip', async (level) => {
  const content = Buffer.alloc(3_000_000, 'abcdefg\n')
  await writeFile(join(source, 'large'), content)
  await writeFile(join(source, 'none'), '')
  await zip(['large', 'none'], level)
  await extractZip(zipFile, target)
  expect((await readFile(join(target, 'large'))).equals(content)).toBe(true)
  expect((await lstat(join(target, 'none'))).size).toBe(0)
  expect((await lstat(zipFile)).size > content.length).toBe(level === 0)
})

test('a zip without entries is valid', async () => {
  await zip([])
  expect(await extractZip(zipFile, target)).toEqual({ entries: 0, refused: [] })
})

test('pipes and invalid names are skipped and reported', async () => {
  await run('mkfifo', [join(source, 'pipe')])
  await writeFile(join(source, 'back\\slash'), '')
  await writeFile(join(source, 'http:x'), '')
  expect(await zip(['back\\slash', 'http:x', 'pipe'])).toEqual(['back\\slash', 'pipe'])
  expect(await extractZip(zipFile, target)).toMatchObject({ entries: 1 })
  expect(await readdir(target)).toEqual(['http:x'])
})

test('a link is stored as a link, without its target', async () => {
  await symlink('/etc/passwd', join(source, 'link'))
  await symlink('/etc', join(source, 'etc'))
  await zip(['etc', 'link'])
  expect(await extractZip(zipFile, target)).toEqual({ entries: 2, refused: [] })
  expect(await readlink(join(target, 'link'))).toBe('/etc/passwd')
})

test('a missing file fails the stream', async () => {
  await expect(zip(['missing'])).rejects.toMatchObject({ code: 'ENOENT' })
})

test('closing the reader stops the writer', async () => {
  await writeFile(join(source, 'large'), Buffer.alloc(20_000_000, 1))
  const archive = zipFiles(source, ['large', 'large'], { level: 0 })
  for await (const chunk of archive) {
    expect(chunk).toBeDefined()
    break
  }
  expect(archive.destroyed).toBe(true)
})

test('one entry is read from a random access source', async () => {
  await writeFile(join(source, 'a.txt'), 'first')
  await writeFile(join(source, 'b.txt'), 'second')
  await zip(['a.txt', 'b.txt'])
  const bytes = await readFile(zipFile)
  const reader = await ZipReader.open({
    size: bytes.length,
    read: ({ start, end }) => Promise.resolve(Readable.from([bytes.subarray(start, end)])),
  })
  const contents: Record<string, string> = {}
  for await (const entry of reader.entries()) contents[entry.name] = await text(await reader.stream(entry))
  expect(contents).toEqual({ 'a.txt': 'first', 'b.txt': 'second' })
})

test('aborting the extraction of a large file stops it immediately', async () => {
  await writeFile(join(source, 'large'), '')
  await truncate(join(source, 'large'), 80_000_000)
  await zip(['large'], 1)
  const stop = new AbortController()
  const unpacked = extractZip(zipFile, target, stop.signal)
  while (!(await readdir(target)).includes('large')) await turn()
  stop.abort(new Error('stopped'))
  await expect(unpacked).rejects.toThrow()
  expect((await lstat(join(target, 'large'))).size).toBeLessThan(80_000_000)
})
