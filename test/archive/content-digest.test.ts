import { createWriteStream } from 'node:fs'
import { chmod, lutimes, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { expect, test } from 'vitest'

import { digestOfFiles, digestOfZip } from '../../src/archive/content-digest.js'
import { tempDir } from '../support/temp-dir.js'
import { zipFiles } from '../support/zip-files.js'

const NAMES = ['lib/', 'lib/a.js', 'lib/large.bin', 'lib/link', 'empty']

async function makeTree(): Promise<string> {
  const root = await tempDir()
  await mkdir(join(root, 'lib'))
  await writeFile(join(root, 'lib/a.js'), 'a')
  await writeFile(join(root, 'lib/large.bin'), Buffer.alloc(700_000, 'x'))
  await symlink('a.js', join(root, 'lib/link'))
  await writeFile(join(root, 'empty'), '')
  return root
}

test.each([0, 5])('files and their zip of level %i have the same content digest', async (level) => {
  const root = await makeTree()
  const zip = join(await tempDir(), 'a.zip')
  await pipeline(zipFiles(root, NAMES, { level }), createWriteStream(zip))
  expect(await digestOfZip(zip)).toBe(await digestOfFiles(root, NAMES))
})

test('modification times and the order of names do not change the content digest', async () => {
  const [one, two] = [await makeTree(), await makeTree()]
  await lutimes(join(two, 'lib/a.js'), 1, 1)
  expect(await digestOfFiles(two, [...NAMES].reverse())).toBe(await digestOfFiles(one, NAMES))
})

test.each<[string, (root: string) => Promise<unknown>]>([
  ['a byte', (root) => writeFile(join(root, 'lib/a.js'), 'b')],
  ['a mode', (root) => chmod(join(root, 'lib/a.js'), 0o755)],
  [
    'the target of a link',
    async (root) => {
      await rm(join(root, 'lib/link'))
      await symlink('b.js', join(root, 'lib/link'))
    },
  ],
  [
    'a link in the place of a file',
    async (root) => {
      await rm(join(root, 'lib/a.js'))
      await symlink('a', join(root, 'lib/a.js'))
    },
  ],
  [
    'a name',
    async (root) => {
      await rename(join(root, 'empty'), join(root, 'void'))
      return NAMES.map((name) => (name === 'empty' ? 'void' : name))
    },
  ],
  ['a name less', async () => NAMES.slice(1)],
])('%s changes the content digest', async (_what, change) => {
  const root = await makeTree()
  const before = await digestOfFiles(root, NAMES)
  const names = await change(root)
  expect(await digestOfFiles(root, isNames(names) ? names : NAMES)).not.toBe(before)
})

function isNames(value: unknown): value is string[] {
  return Array.isArray(value)
}
