import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { checkDisks } from '../../../src/coordinator/start/check-disks.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

const run = promisify(execFile)

test('a coordinator with space on its disks is ready', async () => {
  const folder = await tempDir()
  await expect(checkDisks({ dataDir: folder, sharedDir: folder })).resolves.toBeUndefined()
})

test.runIf(process.getuid?.() === 0)('a full disk is named by the setting of its folder', async () => {
  const [dataDir, sharedDir] = [await tempDir(), await tempDir()]
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', sharedDir])
  onFinished(async () => void (await run('umount', [sharedDir])))
  await expect(checkDisks({ dataDir, sharedDir })).resolves.toBeUndefined()
  await expect(writeFile(join(sharedDir, 'file'), Buffer.alloc(2_000_000))).rejects.toThrow('ENOSPC')
  await expect(checkDisks({ dataDir, sharedDir })).rejects.toThrow('The disk of shared_dir is full')
})
