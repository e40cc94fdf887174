import { chmod, copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { findBusybox } from '../../../src/cli/commands/up/find-busybox.js'
import { tempDir } from '../../support/temp-dir.js'

test('a dynamically linked program, a script and a missing file are skipped', async () => {
  const folder = await tempDir()
  const script = join(folder, 'script')
  await writeFile(script, '#!/bin/sh\n')
  await chmod(script, 0o755)
  const copy = join(folder, 'busybox')
  await copyFile(await findBusybox(), copy)
  expect(await findBusybox([join(folder, 'missing'), script, process.execPath, copy])).toBe(copy)
})

test('the error for a missing static busybox names the package to install', async () => {
  await expect(findBusybox([process.execPath])).rejects.toThrow('apt-get install busybox-static')
})
