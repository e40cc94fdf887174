import { expect, test } from 'vitest'

import { listAuditEvents } from '../../../../src/coordinator/accounts/audit-events/store.js'
import { openForFile } from '../../../support/lifetime.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'

const scene = openForFile(() => startCiCoordinator())

test.each([
  {
    create: ['variables', { key: 'TOKEN', value: 'oldsecret1', protected: false }],
    change: { value: 'newsecret1', protected: true },
    recorded: { change: 'protected', from: false, to: true },
  },
  {
    create: ['pipeline_schedules', { description: 'nightly', ref: 'main', cron: '0 1 * * *' }],
    change: { cron: '0 2 * * *' },
    recorded: { change: 'cron', from: '0 1 * * *', to: '0 2 * * *' },
  },
  {
    create: ['freeze_periods', { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' }],
    change: { freeze_end: '0 8 * * 1' },
    recorded: { change: 'freeze_end', from: '0 7 * * 1', to: '0 8 * * 1' },
  },
  {
    create: ['triggers', { description: 'deploys' }],
    change: { description: 'builds' },
    recorded: { change: 'description', from: 'deploys', to: 'builds' },
  },
  {
    create: ['environments', { name: 'production', tier: 'production' }],
    change: { tier: 'staging' },
    recorded: { change: 'tier', from: 'production', to: 'staging' },
  },
] as const)('a change of $create.0 is recorded with its old and its new value', async (row) => {
  const { app, project, admin, database } = scene()
  const [path, settings] = row.create
  const base = `/projects/${project.id}/${path}`
  const created = (await app.call(admin, `POST ${base}`, settings)).json<{ id?: number; key?: string }>()
  const changed = await app.call(admin, `PUT ${base}/${created.id ?? created.key}`, row.change)
  expect(changed.statusCode).toBe(200)
  const { rows } = await listAuditEvents(database, {}, { page: 1, perPage: 1, offset: 0 })
  expect(rows).toMatchObject([{ details: row.recorded }])
  expect(JSON.stringify(rows)).not.toMatch(/secret1/)
})

test('a change of a runner is recorded with its old and its new value', async () => {
  const { app, admin, database } = scene()
  const body = { runner_type: 'instance_type', maximum_timeout: 3600 }
  const { id } = (await app.call(admin, 'POST /user/runners', body)).json<{ id: number }>()
  await app.call(admin, `PUT /runners/${id}`, { paused: true, maximum_timeout: 7200, tag_list: ['gpu'] })
  const { rows } = await listAuditEvents(database, {}, { page: 1, perPage: 3, offset: 0 })
  expect(rows.map(({ details: { change, from, to } }) => ({ change, from, to }))).toEqual([
    { change: 'tag_list', from: '', to: 'gpu' },
    { change: 'maximum_timeout', from: 3600, to: 7200 },
    { change: 'active', from: true, to: false },
  ])
})
