import { onTestFinished } from 'vitest'

import type { DatabaseSettings } from '../../../src/coordinator/database/connect.js'
import { createEmptyPostgres } from '../../support/databases.js'
import { freePort } from '../../support/free-port.js'
import { startNginx } from './nginx.js'
import { System } from './system.js'

export interface TwoCoordinators {
  /** Its calls, projects and runners use the address of nginx. */
  system: System
  /** Of the coordinators. */
  urls: [string, string]
  store: DatabaseSettings
}

/** Two coordinators on one PostgreSQL behind nginx. They are stopped after the test. */
export async function startTwoCoordinators(
  environment: Record<string, string> = {},
  program?: string,
): Promise<TwoCoordinators> {
  const settings: DatabaseSettings = { dialect: 'postgres', url: await createEmptyPostgres() }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const proxy = { SWITCHYARD_EXTERNAL_URL: url, SWITCHYARD_TRUSTED_PROXIES: '127.0.0.1' }
  const system = await System.start(settings, { ...proxy, ...environment }, program)
  onTestFinished(() => system.stop())
  const urls: [string, string] = [system.url, await system.startSecondCoordinator()]
  await startNginx(port, urls)
  system.useProxy(url)
  return { system, urls, store: settings }
}
