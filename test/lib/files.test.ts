import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { removeUnfinished, replaceFile } from '../../src/lib/files.js'
import { tempDir } from '../support/temp-dir.js'

test('a file that a killed process did not finish is removed when it is old, and nothing else is', async () => {
  const folder = await tempDir()
  const killed = new Error('killed')
  let unfinished = ''
  const lastLook = async (temporary: string) => {
    unfinished = temporary
    throw killed
  }
  await expect(replaceFile(join(folder, 'token'), 'text', { lastLook })).rejects.toBe(killed)
  await writeFile(unfinished, 'text')
  for (const name of ['token', 'notes.tmp', 'backup.0123456789ab']) await writeFile(join(folder, name), '')
  const old = new Date('2020-01-01')
  for (const name of await readdir(folder)) await utimes(join(folder, name), old, old)
  await writeFile(join(folder, 'token.ba9876543210.tmp'), 'is being written')

  expect(await removeUnfinished(folder, new Date('2021-01-01'))).toBe(1)
  expect((await readdir(folder)).toSorted()).toEqual([
    'backup.0123456789ab',
    'notes.tmp',
    'token',
    'token.ba9876543210.tmp',
  ])
})
