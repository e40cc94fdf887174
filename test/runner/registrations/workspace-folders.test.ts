import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { WorkspaceFolders } from '../../../src/runner/registrations/workspace-folders.js'
import { tempDir } from '../../support/temp-dir.js'

const ENTRY = { url: 'http://one.example', token: 'glrt-one' }
const logger = createLogger('test', 'silent')
const open = (dataDir: string) => WorkspaceFolders.open(dataDir, logger)

test('two entries never share a folder for their workspaces', async () => {
  const folders = await open(await tempDir())
  const entries = [ENTRY, { ...ENTRY, url: 'http://two.example' }, { ...ENTRY, token: 'glrt-two' }]
  expect(new Set(entries.map((entry) => folders.of(entry))).size).toBe(entries.length)
})

test('an entry finds its workspaces again, and the path does not tell its token', async () => {
  const dataDir = await tempDir()
  const folder = (await open(dataDir)).of(ENTRY)
  expect((await open(dataDir)).of({ ...ENTRY })).toBe(folder)
  expect(folder).not.toContain('one')
})

test('an entry keeps its workspaces when its token is renewed, again and again, also after a restart', async () => {
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
  'a book of renewed tokens that says %s leads nowhere else',
  async (text) => {
    const dataDir = await tempDir()
    await writeFile(join(dataDir, 'renewed-tokens.json'), text)
    expect((await open(dataDir)).of(ENTRY)).toMatch(new RegExp(`^${dataDir}/workspaces/[^/.]+$`))
  },
)
