import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { removeFew } from '../../../src/runner/workspace/remove-tree.js'
import { tempDir } from '../../support/temp-dir.js'

test('a directory is removed with its contents, but not the targets of links', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other/kept'), 'kept')
  await mkdir(join(folder, 'gone/a/b'), { recursive: true })
  await writeFile(join(folder, 'gone/a/b/file'), '')
  await chmod(join(folder, 'gone/a'), 0o777)
  await symlink('../other', join(folder, 'gone/link'))
  await symlink('nowhere', join(folder, 'gone/a/dangling'))
  expect(await removeFew(join(folder, 'gone'))).toBe(true)
  expect(await readdir(folder)).toEqual(['other'])
  expect(await readFile(join(folder, 'other/kept'), 'utf8')).toBe('kept')
})

test('many entries, a file and a link are removed by the general function', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'many'))
  for (let file = 0; file < 150; file++) await writeFile(join(folder, 'many', String(file)), '')
  expect(await removeFew(join(folder, 'many'))).toBe(false)
  expect(await readdir(join(folder, 'many'))).toHaveLength(150)
  expect(await removeFew(join(folder, 'many/1'))).toBe(false)
  await symlink('many', join(folder, 'link'))
  expect(await removeFew(join(folder, 'link'))).toBe(false)
  expect((await readdir(folder)).sort()).toEqual(['link', 'many'])
})
