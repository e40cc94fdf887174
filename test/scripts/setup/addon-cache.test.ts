import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { addonCache } from '../../../scripts/setup/addon-cache.mjs'
import { tempDir } from '../../support/temp-dir.js'

test('the compiled add-on of one clone is put in place in the next one', async () => {
  const folder = join(await tempDir(), 'cache')
  const first = await clone('compiled')
  await addonCache({ addon: first, integrity: 'sha512-a', folder }).save()
  const second = await clone()
  expect(await addonCache({ addon: second, integrity: 'sha512-a', folder }).restore()).toBe(true)
  expect(await readFile(second, 'utf8')).toBe('compiled')
})

test('the add-on of another version is not used', async () => {
  const folder = join(await tempDir(), 'cache')
  await addonCache({ addon: await clone('compiled'), integrity: 'sha512-a', folder }).save()
  expect(await addonCache({ addon: await clone(), integrity: 'sha512-b', folder }).restore()).toBe(false)
})

/** A clone with this add-on, or none; returns the place of the add-on. */
async function clone(content?: string): Promise<string> {
  const build = join(await tempDir(), 'build')
  if (content === undefined) return join(build, 'addon.node')
  await mkdir(build)
  await writeFile(join(build, 'addon.node'), content)
  return join(build, 'addon.node')
}
