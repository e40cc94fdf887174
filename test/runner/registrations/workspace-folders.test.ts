import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { WorkspaceFolders } from '../../../src/runner/registrations/workspace-folders.js'
import { tempDir } from '../../support/temp-dir.js'

const ENTRY = { url: 'http://one.example', token: 'glrt-one' }
const logger = createLogger('test', 'silent')
const open = (dataDir: string) => WorkspaceFolders.open(dataDir, logger)

test('two registrations never share a workspace directory', async () => {
  const folders = await open(await tempDir())
  const entries = [ENTRY, { ...ENTRY, url: 'http://two.example' }, { ...ENTRY, token: 'glrt-two' }]
  expect(new Set(entries.map((entry) => folders.of(entry))).size).toBe(entries.length)
})

test('a registration finds its workspaces again, and their path does not contain the token', async () => {
  const dataDir = await tempDir()
  const folder = (await open(dataDir)).of(ENTRY)
  expect((await open(dataDir)).of({ ...ENTRY })).toBe(folder)
  expect(folder).not.toContain('one')
})

test('a registration keeps its workspaces across token renewals and restarts', async () => {
  const dataDir = await tempDir()
  const folders = await open(dataDir)
  const folder = folders.of(ENTRY)
  await folders.renew(ENTRY, { ...ENTRY, token: 'second' })
  await folders.renew({ ...ENTRY, token: 'second' }, { ...ENTRY, token: 'third' })
  expect(folders.of({ ...ENTRY, token: 'third' })).toBe(folder)
  const later = await open(dataDir)
  expect(later.of({ ...ENTRY, token: 'third' })).toBe(folder)
  expect(later.of({ ...ENTRY, token: 'second' })).not.toBe(folder)
})

test.each(['no json', '{"0123456789abcdef": "../../outside"}', '[]', '{"0123456789abcdef": 1}'])(
  'a renewal index that says %s leads to no other directory',
  async (text) => {
    const dataDir = await tempDir()
    await writeFile(join(dataDir, 'renewed-tokens.json'), text)
    expect((await open(dataDir)).of(ENTRY)).toMatch(new RegExp(`^${dataDir}/workspaces/[^/.]+$`))
  },
)
