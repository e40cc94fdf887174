import { expect, test } from 'vitest'

import { ServiceManager } from '../../../src/coordinator/start/service-manager.js'
import { createLogger } from '../../../src/lib/logger.js'
import { onFinished } from '../../support/lifetime.js'
import { serviceManager } from '../../support/service-manager.js'

const logger = createLogger('test', 'silent')

test('systemd is notified when the coordinator is ready, reads its keys again, or stops', async () => {
  const { environment, next } = await serviceManager()
  const manager = new ServiceManager(environment, logger)
  await manager.started('Serves http://localhost')
  expect(await next()).toBe('READY=1\nSTATUS=Serves http://localhost')
  let reloads = 0
  await manager.duringReload(() => void (reloads += 1), 'Serves again')
  expect(await next()).toMatch(/^RELOADING=1\nMONOTONIC_USEC=\d+$/)
  expect(await next()).toBe('READY=1\nSTATUS=Serves again')
  expect(reloads).toBe(1)
  await manager.stopping()
  expect(await next()).toMatch(/^STOPPING=1\n/)
})

test('the event loop of the coordinator sends keep-alive messages, also while it stops', async () => {
  const { environment, next } = await serviceManager()
  const watched = { ...environment, WATCHDOG_USEC: '200000', WATCHDOG_PID: String(process.pid) }
  const manager = new ServiceManager(watched, logger)
  onFinished(async () => manager.stop())
  await manager.started('Serves')
  expect(await next()).toMatch(/^READY=1/)
  expect(await next()).toBe('WATCHDOG=1')
  await manager.stopping()
  const later = [await next(), await next(), await next()]
  expect(later).toContain('WATCHDOG=1')
})
