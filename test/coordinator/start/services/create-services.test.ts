import { expect, onTestFinished, test } from 'vitest'

import { closeServices } from '../../../../src/coordinator/start/close-services.js'
import { readCoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { createServices } from '../../../../src/coordinator/start/services/create-services.js'
import type { Services } from '../../../../src/coordinator/start/services/services.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { openPostgres } from '../../../support/databases.js'
import { tempDir } from '../../../support/temp-dir.js'

/** What two coordinator processes on one store would have, both listening to one another. */
async function twoCoordinators(): Promise<Services[]> {
  const { settings: database } = await openPostgres()
  const settings = { ...readCoordinatorSettings({ data_dir: await tempDir() }, {}), database }
  return Promise.all([settings, settings].map((each) => startServices(each)))
}

async function startServices(settings: Parameters<typeof createServices>[0]): Promise<Services> {
  const services = await createServices(settings, createLogger('test', 'silent'), 'http://switchyard.example')
  onTestFinished(() => closeServices(services))
  // A coordinator that starts to listen reads every watched job once.
  const watch = services.watches.watch(1)
  services.channel?.start()
  await watch.next(new AbortController().signal, 60_000)
  watch.close()
  return services
}

test('a runner that waits at one coordinator receives the cancel of a job at another', async () => {
  const [here, there] = await twoCoordinators()
  const watch = there!.watches.watch(42)
  here!.engine.notifications.emit('runnerConcerned', 42)
  expect(await watch.next(new AbortController().signal, 50_000)).toBe('changed')
})
