import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { startCoordinator } from '../../src/coordinator/coordinator.js'
import { readCoordinatorSettings } from '../../src/coordinator/start/config/settings.js'
import { createLogger } from '../../src/lib/logger.js'
import { copyMigratedStore } from '../support/databases.js'
import { tempDir } from '../support/temp-dir.js'

test('nothing of a stopped coordinator stays in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const settings = await startAndStop()
  const isHeld = () => {
    collectGarbage()
    return settings.deref() !== undefined
  }
  await expect.poll(isHeld, { interval: 500 }).toBe(false)
})

/** Returns its settings, which all its services hold. */
async function startAndStop(): Promise<WeakRef<object>> {
  const folder = await tempDir()
  await copyMigratedStore(folder)
  const values = { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: folder }
  const settings = readCoordinatorSettings(values, {})
  const coordinator = await startCoordinator(settings, createLogger('test', 'silent'))
  await coordinator.stop()
  return new WeakRef(settings)
}
