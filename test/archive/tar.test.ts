import { chmod, link, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { execa } from 'execa'
import { type Header, pack } from 'tar-stream'
import { expect, test } from 'vitest'

import { UnsafeArchiveError } from '../../src/archive/errors.js'
import { extractTar } from '../../src/archive/extract-tar.js'
import { writeTar } from '../../src/archive/tar-writer.js'
import { tempDir } from '../support/temp-dir.js'

const OWNER = { uid: 1000, gid: 1000650000 }

type Entry = Partial<Header> & { name: string; content?: string }

/** A tar as an engine or an attacker might send it. */
function tarOf(...entries: Entry[]): Readable {
  const archive = pack()
  for (const { content = '', ...header } of entries) archive.entry(header, content)
  archive.finalize()
  return Readable.from(archive)
}

async function listing(directory: string): Promise<string[]> {
  const { stdout } = await execa('find', ['.', '-mindepth', '1', '-printf', '%P %M %s %l\\n'], {
    cwd: directory,
  })
  return stdout
    .split('\n')
    .map((line) => line.trim().replace(/^(\S+ d\S+) \d+$/, '$1'))
    .sort()
}

test('the tar has links, modes, times and owners, and no write permission for others', async () => {
  const root = await tempDir()
  const long = `${'n'.repeat(120)}/${'m'.repeat(120)}`
  await mkdir(join(root, 'dir', 'empty'), { recursive: true })
  await mkdir(join(root, long), { recursive: true })
  await writeFile(join(root, 'dir/file'), 'content')
  await writeFile(join(root, long, 'größe'), 'x'.repeat(300_000))
  await chmod(join(root, 'dir/file'), 0o6777)
  await utimes(join(root, 'dir/file'), 1_600_000_000, 1_600_000_000)
  await symlink('/etc/passwd', join(root, 'link'))
  await execa('mkfifo', [join(root, 'pipe')])
  const tar = await buffer(
    writeTar([
      { kind: 'file', name: 'first', owner: OWNER, content: '', mode: 0o600 },
      { kind: 'tree', name: 'p', owner: OWNER, root },
    ]),
  )
  const out = await tempDir()
  await execa('tar', ['-xf', '-', '--no-same-owner', '-C', out], { input: tar })
  expect(await listing(join(out, 'p'))).toEqual([
    'dir drwxr-xr-x',
    'dir/empty drwxr-xr-x',
    'dir/file -rwxr-xr-x 7',
    'link lrwxrwxrwx 11 /etc/passwd',
    `${'n'.repeat(120)} drwxr-xr-x`,
    `${long} drwxr-xr-x`,
    `${long}/größe -rw-r--r-- 300000`,
  ])
  const { stdout } = await execa('tar', ['-tvf', '-', '--numeric-owner', '--utc'], { input: tar })
  const lines = stdout.split('\n').map((line) => line.split(/\s+/))
  expect(new Set(lines.map((words) => words[1]))).toEqual(new Set(['1000/1000650000']))
  expect(stdout).toContain('2020-09-13 12:26 p/dir/file')
})

test('a file that is deleted during packing ends the tar with an error that names it', async () => {
  const root = join(await tempDir(), 'none')
  const tar = writeTar([{ kind: 'tree', name: 'p', owner: OWNER, root }])
  await expect(buffer(tar)).rejects.toThrow('none')
})

test('links are extracted as links, and devices as pipes', async () => {
  const root = await tempDir()
  await extractTar(
    tarOf(
      { name: 'p/', type: 'directory', mode: 0o750 },
      { name: 'p/file', mode: 0o4755, content: 'one' },
      { name: 'p/same', type: 'link', linkname: 'p/file' },
      { name: 'p/out', type: 'symlink', linkname: '/etc' },
      { name: 'p/null', type: 'character-device', devmajor: 1, devminor: 3 },
      { name: 'p/back\\slash', content: 'x' },
    ),
    { root, at: ['a', 'b'] },
  )
  expect(await listing(root)).toEqual([
    'a drwxr-xr-x',
    'a/b drwxr-x---',
    'a/b/back\\slash -rw-r--r-- 1',
    'a/b/file -rwxr-xr-x 3',
    'a/b/null prw-r--r-- 0',
    'a/b/out lrwxrwxrwx 4 /etc',
    'a/b/same -rwxr-xr-x 3',
  ])
})

test('hard links of a tar by GNU tar are extracted', async () => {
  const source = await tempDir()
  await mkdir(join(source, 'p/dir'), { recursive: true })
  await writeFile(join(source, 'p/dir/a'), 'same')
  await link(join(source, 'p/dir/a'), join(source, 'p/z'))
  const { stdout } = await execa('tar', ['-cf', '-', 'p'], { cwd: source, encoding: 'buffer' })
  const root = await tempDir()
  await extractTar(Readable.from([stdout]), { root, at: [] })
  expect(await readFile(join(root, 'z'), 'utf8')).toBe('same')
  expect(await readFile(join(root, 'dir/a'), 'utf8')).toBe('same')
})

test.each<[string, Entry[]]>([
  ['a name that climbs', [{ name: 'p/../../x', content: 'x' }]],
  ['an absolute name', [{ name: '/x', content: 'x' }]],
  [
    'a file behind a link',
    [
      { name: 'p/link', type: 'symlink', linkname: '/tmp' },
      { name: 'p/link/x', content: 'x' },
    ],
  ],
  [
    'a second name for a file behind a link',
    [
      { name: 'p/link', type: 'symlink', linkname: '/etc' },
      { name: 'p/x', type: 'link', linkname: 'p/link/passwd' },
    ],
  ],
  [
    'a second name for a link',
    [
      { name: 'p/link', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'p/x', type: 'link', linkname: 'p/link' },
    ],
  ],
  ['a second name for a file outside', [{ name: 'p/x', type: 'link', linkname: 'p/../../etc/passwd' }]],
])('%s is rejected', async (_, entries) => {
  const root = join(await tempDir(), 'root')
  await mkdir(root)
  await expect(extractTar(tarOf(...entries), { root, at: [] })).rejects.toThrow(UnsafeArchiveError)
})

test('an archive over the limits of files or bytes is rejected before anything is written', async () => {
  const root = await tempDir()
  const two = () => tarOf({ name: 'p/a', content: 'x' }, { name: 'p/b', content: 'xyz' })
  const place = { root, at: [] }
  await expect(extractTar(two(), place, undefined, { maximumEntries: 1, maximumBytes: 100 })).rejects.toThrow(
    '1 files',
  )
  await expect(extractTar(two(), place, undefined, { maximumEntries: 5, maximumBytes: 3 })).rejects.toThrow(
    '3 bytes',
  )
  expect(await listing(root)).toEqual(['a -rw-r--r-- 1'])
})

test('a truncated tar is an error', async () => {
  const whole = await buffer(tarOf({ name: 'p/a', content: 'x'.repeat(5000) }))
  const root = await tempDir()
  await expect(extractTar(Readable.from([whole.subarray(0, 3000)]), { root, at: [] })).rejects.toThrow()
})

test('the extraction of a tar without an end stops when its signal aborts', async () => {
  const root = await tempDir()
  const controller = new AbortController()
  const stop = new Error('stopped')
  function* endless() {
    for (let read = 0; ; read++) {
      if (read === 3) controller.abort(stop)
      yield Buffer.alloc(512)
    }
  }
  const archive = pack()
  Readable.from(endless()).pipe(archive.entry({ name: 'a/large', size: 2 ** 36 }))
  const place = { root, at: [] }
  await expect(extractTar(Readable.from(archive), place, controller.signal)).rejects.toBe(stop)
})
