import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { staysInside } from '../../../src/archive/entry-name.js'
import { UnreadableArchiveError, UnsafeArchiveError } from '../../../src/archive/errors.js'
import { DEFAULT_LIMITS } from '../../../src/archive/extract-limits.js'
import { extractZip } from '../../../src/archive/extract-zip.js'
import { type HostileEntry, hostileZip } from '../../support/hostile-zip.js'

const LINK = 0o120777

let directory: string
let tree: string
let outside: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchyard-hostile-'))
  tree = join(directory, 'tree')
  outside = join(directory, 'outside')
  await mkdir(tree)
  await mkdir(outside)
  await writeFile(join(outside, 'victim'), 'untouched')
})

afterEach(async () => {
  expect(await readdir(outside)).toEqual(['victim'])
  expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('untouched')
  await rm(directory, { recursive: true, force: true })
})

async function extract(entries: HostileEntry[], limits = DEFAULT_LIMITS) {
  const zipFile = join(directory, 'hostile.zip')
  await writeFile(zipFile, hostileZip(entries))
  return await extractZip(zipFile, tree, undefined, limits)
}

test.each(['/etc/passwd', '../outside/new', 'a/../../outside/new', 'a\\..\\b', 'C:/x', 'a\0b', ''])(
  'the name %j is refused before anything is written',
  async (name) => {
    await expect(extract([{ name: 'first' }, { name, content: 'bad' }])).rejects.toThrow(UnsafeArchiveError)
    expect(await readdir(tree)).toEqual([])
  },
)

test('a link of the archive is not written through', async () => {
  const entries = [
    { name: 'inside/', mode: 0o040755 },
    { name: 'door', mode: LINK, content: 'inside' },
    { name: 'door/victim', content: 'changed' },
  ]
  await expect(extract(entries)).rejects.toThrow(UnsafeArchiveError)
  expect(await readdir(join(tree, 'inside'))).toEqual([])
})

test('a link that lay in the tree is not written through', async () => {
  await symlink(outside, join(tree, 'door'))
  await expect(extract([{ name: 'door/victim', content: 'changed' }])).rejects.toThrow(UnsafeArchiveError)
})

test('a link in the place of a file or directory is replaced, not followed', async () => {
  await symlink(join(outside, 'victim'), join(tree, 'file'))
  await symlink(outside, join(tree, 'directory'))
  await extract([
    { name: 'file', content: 'new' },
    { name: 'directory/', mode: 0o040755 },
    { name: 'directory/victim', content: 'new' },
  ])
  expect((await lstat(join(tree, 'file'))).isFile()).toBe(true)
  expect((await lstat(join(tree, 'directory'))).isDirectory()).toBe(true)
})

test('a directory that an entry replaced by a link is not remembered as a directory', async () => {
  const entries = [
    { name: 'a/b/first', content: '1' },
    { name: 'c/', mode: 0o040755 },
    { name: 'a/b', mode: LINK, content: '../c' },
    { name: 'a/b/second', content: '2' },
  ]
  await expect(extract(entries)).rejects.toThrow(UnsafeArchiveError)
  expect(await readdir(join(tree, 'c'))).toEqual([])
})

test('links out of the tree and devices are left out', async () => {
  const result = await extract([
    { name: 'absolute', mode: LINK, content: '/etc' },
    { name: 'climbing', mode: LINK, content: '../outside' },
    { name: 'device', mode: 0o020666 },
    { name: 'pipe', mode: 0o010666 },
    { name: 'good', mode: LINK, content: 'absolute' },
  ])
  expect(result).toEqual({ entries: 1, refused: ['absolute', 'climbing', 'device', 'pipe'] })
  expect(await readdir(tree)).toEqual(['good'])
})

test('a mode never brings setuid, setgid or sticky', async () => {
  await extract([{ name: 'file', mode: 0o107777 }])
  expect((await lstat(join(tree, 'file'))).mode & 0o7777).toBe(0o777)
})

test.each([
  ['entries', { maximumEntries: 2 }, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]],
  ['the bytes of an entry', { maximumEntryBytes: 10 }, [{ name: 'a', content: '12345678901' }]],
  ['bytes', { maximumBytes: 10 }, [{ name: 'a', content: '12345678901' }]],
  ['ratio', { ratioFromBytes: 1000 }, [{ name: 'a', content: 'x'.repeat(1000), claimedSize: 1_000_000 }]],
  ['what an entry can unpack to', {}, [{ name: 'a', content: 'x', claimedSize: 2000 }]],
])('an archive past the limit on %s is refused before anything is written', async (_, limit, entries) => {
  await expect(extract(entries, { ...DEFAULT_LIMITS, ...limit })).rejects.toThrow(UnsafeArchiveError)
  expect(await readdir(tree)).toEqual([])
})

test('an entry that unpacks to more than it claims, or to something else, is refused', async () => {
  const packed = deflateRawSync(Buffer.alloc(100_000)).toString('latin1')
  const entries = [{ name: 'bomb', content: packed, claimedSize: 10 }]
  await expect(extract(entries)).rejects.toThrow(UnreadableArchiveError)
  const zipFile = join(directory, 'damaged.zip')
  const zip = hostileZip([{ name: 'a', content: 'good' }])
  zip.write('evil', zip.indexOf('good'))
  await writeFile(zipFile, zip)
  await expect(extractZip(zipFile, tree)).rejects.toThrow(UnreadableArchiveError)
})

test('what is not a zip is unreadable', async () => {
  const zipFile = join(directory, 'text.zip')
  await writeFile(zipFile, 'hello')
  await expect(extractZip(zipFile, tree)).rejects.toThrow(UnreadableArchiveError)
})

test.each([
  ['link', 'file', true],
  ['a/link', '../file', true],
  ['a/link', './b/c', true],
  ['link', '../file', false],
  ['a/link', '../../file', false],
  ['link', '/etc/passwd', false],
  ['link', '', false],
  ['link', 'door/../x', false],
  ['a/b/link', '../..', true],
])('a link at %j to %j stays inside: %j', (name, target, expected) => {
  expect(staysInside(name, target)).toBe(expected)
})
