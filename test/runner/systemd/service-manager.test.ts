import { describe, expect, test } from 'vitest'

import { watchdogInterval } from '../../../src/lib/systemd/watchdog-interval.js'
import type { RegistrationView } from '../../../src/runner/registrations/registration-view.js'
import { isPollingAlive } from '../../../src/runner/systemd/watchdog.js'
import { configText, daemonUnderTest } from '../../support/running-daemon.js'
import { serviceManager } from '../../support/service-manager.js'

describe('systemd notifications', () => {
  test('report that the daemon is ready, reloads and stops', async () => {
    const { environment, next } = await serviceManager()
    const { daemon, configure, coordinator } = await daemonUnderTest(undefined, { environment })
    expect(await next()).toBe('READY=1\nSTATUS=Accepts jobs for 1 registration, up to 1 at a time')
    await configure(configText(coordinator.url, [{}, { token: 'glrt-other' }], 'concurrent = 4'))
    await daemon.reload()
    expect(await next()).toMatch(/^RELOADING=1\nMONOTONIC_USEC=\d+$/)
    expect(await next()).toBe('READY=1\nSTATUS=Accepts jobs for 2 registrations, up to 4 at a time')
    await daemon.runner.stopGracefully()
    expect(await next()).toMatch(/^STOPPING=1\n/)
  })

  test('send a keep-alive twice per watchdog interval', async () => {
    const { environment, next } = await serviceManager()
    const watched = { ...environment, WATCHDOG_USEC: '200000', WATCHDOG_PID: String(process.pid) }
    await daemonUnderTest(undefined, { environment: watched })
    expect(await next()).toMatch(/^READY=1/)
    expect(await next()).toBe('WATCHDOG=1')
    expect(await next()).toBe('WATCHDOG=1')
  })
})

test('are skipped without a service manager', async () => {
  const { log } = await daemonUnderTest(undefined, { environment: { PATH: '/nowhere' } })
  expect(log.messages).not.toContain('The service manager could not be notified')
})

test.each([
  [{}, undefined],
  [{ WATCHDOG_USEC: '120000000' }, 60_000],
  [{ WATCHDOG_USEC: '120000000', WATCHDOG_PID: '7' }, 60_000],
  [{ WATCHDOG_USEC: '120000000', WATCHDOG_PID: '8' }, undefined],
  [{ WATCHDOG_USEC: '0' }, undefined],
  [{ WATCHDOG_USEC: 'soon' }, undefined],
])('%j: process 7 sends a keep-alive every %s ms', (environment, interval) => {
  expect(watchdogInterval(environment, 7)).toBe(interval)
})

test.each([
  ['without an entry', [], true],
  ['with a request that is held', [50], true],
  ['with one that can never be served any more', [1, 3600], false],
])('polling is alive %s: %j', (_, seconds, isAlive) => {
  const view: RegistrationView = {
    name: 'a',
    url: 'http://a',
    token: 't',
    state: 'polling',
    running: 0,
    limit: undefined,
    openRequests: 1,
    requestConcurrency: 1,
    allowedRequests: 1,
    restSeconds: 0,
    longestRequestSeconds: 0,
  }
  const views = seconds.map((longestRequestSeconds) => ({ ...view, longestRequestSeconds }))
  expect(isPollingAlive(views)).toBe(isAlive)
})
