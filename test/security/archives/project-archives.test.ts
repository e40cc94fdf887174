import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

import { type Header, pack } from 'tar-stream'
import { expect, test } from 'vitest'

import { UnsafeArchiveError } from '../../../src/archive/errors.js'
import { unpackKnownFiles } from '../../../src/archive/unpack-known-files.js'
import { tempDir } from '../../support/temp-dir.js'

type Entry = Partial<Header> & { name: string; content?: string }

const LIMITS = { maximumEntries: 3, maximumBytes: 100_000, maximumRatio: 10, ratioFromBytes: 20_000 }
const NOTHING_ELSE = new Map([
  ['project.json', 1000],
  ['uploads/a', 50_000],
  ['uploads/b', 50_000],
  ['uploads/c', 50_000],
])

test.each<[string, Entry[]]>([
  ['a name that leaves the folder', [{ name: '../project.json' }]],
  ['an absolute name', [{ name: '/project.json' }]],
  ['a name that leaves the folder behind a known one', [{ name: 'uploads/../../a' }]],
  ['a name that no archive has', [{ name: 'other' }]],
  ['a symbolic link', [{ name: 'uploads/a', type: 'symlink', linkname: '/etc/passwd' }]],
  ['a hard link', [{ name: 'uploads/a', type: 'link', linkname: '/etc/passwd' }]],
  ['a device', [{ name: 'uploads/a', type: 'character-device', devmajor: 1, devminor: 3 }]],
  ['one file twice', [{ name: 'uploads/a' }, { name: './uploads/a' }]],
  ['a file that is too large', [{ name: 'project.json', content: 'x'.repeat(1001) }]],
  ['more files than allowed', [...NOTHING_ELSE.keys()].map((name) => ({ name }))],
  ['a file that unpacks to many times its size', [{ name: 'uploads/a', content: '0'.repeat(50_000) }]],
])('a project archive with %s is refused, and nothing is written outside its folder', async (_, entries) => {
  const outside = await tempDir()
  const folder = join(outside, 'folder')
  await mkdir(folder)
  const known = {
    maxBytesOf: (name: string) => NOTHING_ELSE.get(name),
    limits: LIMITS,
    signal: new AbortController().signal,
  }
  await expect(unpackKnownFiles(archiveOf(entries), folder, known)).rejects.toThrow(UnsafeArchiveError)
  expect(await readdir(outside)).toEqual(['folder'])
})

function archiveOf(entries: Entry[]): Readable {
  const archive = pack()
  for (const { content = '', ...header } of entries) archive.entry(header, content)
  archive.finalize()
  return Readable.from(archive).pipe(createGzip())
}
