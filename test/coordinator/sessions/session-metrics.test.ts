import { Gauge, Registry } from 'prom-client'
import { expect, test } from 'vitest'

import { registerSessionMetrics } from '../../../src/coordinator/sessions/session-metrics.js'
import { createLogger } from '../../../src/lib/logger.js'
import { openSqlite } from '../../support/databases.js'
import { openBrowser } from '../support/browser.js'
import { addPerson } from '../support/test-app.js'

const SILENT = createLogger('test', 'silent')

test('the metrics have the number of sessions that have not ended', async () => {
  const { database } = await openSqlite()
  const registry = new Registry()
  registerSessionMetrics(registry, database, SILENT)
  const mary = await addPerson(database, 'mary')
  await openBrowser(database, mary)
  await openBrowser(database, mary)
  expect(await registry.metrics()).toContain('switchyard_sessions 2')
  await database
    .updateTable('web_session')
    .set({ expires_at: Date.now() - 1 })
    .execute()
  expect(await registry.metrics()).toContain('switchyard_sessions 0')
})

test('the other metrics are there while the store fails', async () => {
  const { database } = await openSqlite()
  const registry = new Registry()
  registerSessionMetrics(registry, database, SILENT)
  await database.schema.alterTable('web_session').renameTo('elsewhere').execute()
  registry.registerMetric(new Gauge({ name: 'other', help: 'Another metric', registers: [] }))
  const text = await registry.metrics()
  expect(text).toContain('other 0')
  expect(text).not.toMatch(/^switchyard_sessions /m)
})
