import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../../src/archive/errors.js'
import { DEFAULT_LIMITS } from '../../../src/archive/extract-limits.js'
import { extractZip } from '../../../src/archive/extract-zip.js'
import { SafeTree } from '../../../src/archive/safe-tree.js'
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

test('links are created as they are stored, wherever they point, and devices are left out', async () => {
  const targets = { absolute: '/etc', climbing: '../outside', good: 'absolute', odd: 'door/../x' }
  const result = await extract([
    ...Object.entries(targets).map(([name, content]) => ({ name, mode: LINK, content })),
    { name: 'device', mode: 0o020666 },
    { name: 'pipe', mode: 0o010666 },
    { name: 'empty', mode: LINK, content: '' },
  ])
  expect(result).toEqual({ entries: 4, refused: ['device', 'pipe', 'empty'] })
  expect((await readdir(tree)).sort()).toEqual(Object.keys(targets).sort())
  for (const [name, target] of Object.entries(targets)) expect(await readlink(join(tree, name))).toBe(target)
})

test.each([
  ['absolute', () => outside],
  ['relative', () => '../outside'],
  ['through another link', () => 'other/../../outside'],
  ['to a link that leads out', () => 'out'],
])(
  'a link that leads out of the tree (%s) is not written through, and replaced by a later entry',
  async (_, to) => {
    const links = [
      { name: 'other', mode: LINK, content: '.' },
      { name: 'out', mode: LINK, content: outside },
      { name: 'door', mode: LINK, content: to() },
    ]
    await expect(extract([...links, { name: 'door/victim', content: 'changed' }])).rejects.toThrow(
      'The archive writes through a link: "door"',
    )
    await expect(extract([...links, { name: 'door/deep/', mode: 0o040755 }])).rejects.toThrow(
      UnsafeArchiveError,
    )
    await extract([...links, { name: 'door/', mode: 0o040777 }, { name: 'door/victim', content: 'own' }])
    expect((await lstat(join(tree, 'door'))).isDirectory()).toBe(true)
    await extract([...links, { name: 'door', content: 'own' }])
    expect(await readFile(join(tree, 'door'), 'utf8')).toBe('own')
  },
)

test('a directory that is replaced by a link during the extraction is not written through', async () => {
  const entries = new SafeTree(tree)
  onTestFinished(() => entries.close())
  const traits = { mode: 0o777, modified: new Date(0) }
  await entries.createDirectory(['a'], traits)
  await entries.createDirectory(['a', 'b'], traits)
  await (await entries.createFile(['a', 'b', 'first'])).close()
  await rename(join(tree, 'a'), join(tree, 'moved'))
  await symlink(outside, join(tree, 'a'))
  await (await entries.createFile(['a', 'b', 'second'])).close()
  await entries.writeLink(['a', 'link'], 'x', traits)
  expect((await readdir(join(tree, 'moved/b'))).sort()).toEqual(['first', 'second'])
  await entries.createDirectory(['d'], traits)
  await expect(entries.createFile(['a', 'victim'])).rejects.toThrow('The archive writes through a link: "a"')
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
