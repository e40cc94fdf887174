import { expect, test } from 'vitest'

import { workspaceFolder } from '../../src/runner/workspace-folder.js'

const ENTRY = { url: 'http://one.example', token: 'glrt-one' }

test('two entries never share a folder for their workspaces', () => {
  const entries = [ENTRY, { ...ENTRY, url: 'http://two.example' }, { ...ENTRY, token: 'glrt-two' }]
  const folders = entries.map((entry) => workspaceFolder('/data', entry))
  expect(new Set(folders).size).toBe(entries.length)
})

test('an entry finds its workspaces again, and the path does not tell its token', () => {
  expect(workspaceFolder('/data', ENTRY)).toBe(workspaceFolder('/data', { ...ENTRY }))
  expect(workspaceFolder('/data', ENTRY)).not.toContain('one')
})
