import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { pushGuard } from '../../../../../src/coordinator/hosting/repositories/push/push-guard.js'
import { tempDir } from '../../../../support/temp-dir.js'

test('several pushes may be the first of a process', async () => {
  const root = await tempDir()
  const guarded = { forwardOnly: ['refs/heads/main'], checksCommits: false }
  const guards = await Promise.all(Array.from({ length: 8 }, () => pushGuard(root, guarded)))
  for (const { settings } of guards) expect(settings['core.hooksPath']).toBe(join(root, 'hooks'))
  expect(await readdir(join(root, 'hooks'))).toEqual(['pre-receive'])
})
