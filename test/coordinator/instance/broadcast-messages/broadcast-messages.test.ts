import { expect, test } from 'vitest'

import { Service } from '../../../conformance/support/service.js'
import { openForFile } from '../../../support/lifetime.js'

const PATH = '/broadcast_messages'
const DAY = 24 * 3_600_000

type Message = Record<string, unknown> & { id: number }

const service = openForFile(() => Service.start())

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const create = (fields: object) => service().json<Message>('POST', PATH, fields)

test('administrators write a message, and everybody reads it', async () => {
  const mary = await service().addPerson('mary')
  const before = Date.now()
  const made = await create({ message: 'Down at *noon*' })
  expect(made).toEqual({
    id: made.id,
    message: 'Down at *noon*',
    starts_at: made['starts_at'],
    ends_at: made['ends_at'],
    active: true,
    broadcast_type: 'banner',
    theme: 'indigo',
    color: '#3b3b92',
    font: '#ffffff',
    target_path: '',
    target_access_levels: [],
    dismissable: false,
  })
  expect(Date.parse(String(made['starts_at']))).toBeGreaterThanOrEqual(before)
  expect(Date.parse(String(made['ends_at'])) - Date.parse(String(made['starts_at']))).toBe(3_600_000)
  const changed = await service().json<Message>('PUT', `${PATH}/${made.id}`, {
    theme: 'light-red',
    font: '#000',
    ends_at: inDays(2),
    starts_at: inDays(1),
    target_access_levels: [30, 10, 30],
    target_path: '*/welcome',
    dismissable: true,
  })
  expect(changed).toMatchObject({
    message: 'Down at *noon*',
    active: false,
    theme: 'light-red',
    color: '#fce4e2',
    font: '#000',
    target_access_levels: [10, 30],
    target_path: '*/welcome',
    dismissable: true,
  })
  const one = await fetch(`${service().url}/api/v4${PATH}/${made.id}`)
  expect([one.status, await one.json()]).toEqual([200, changed])
  expect(await (await fetch(`${service().url}/api/v4${PATH}`)).json()).toEqual([changed])
  for (const [as, status] of [
    [mary, 403],
    [undefined, 401],
  ] as const) {
    expect((await service().fetch('POST', PATH, { ...(as && { as }), body: { message: 'x' } })).status).toBe(
      status,
    )
  }
  expect((await service().fetch('DELETE', `${PATH}/${made.id}`, { as: service().root })).status).toBe(204)
  expect((await service().fetch('GET', `${PATH}/${made.id}`, { as: mary })).status).toBe(404)
})

test.each([
  [{}, { error: 'message is missing' }],
  [{ message: ' ' }, { message: { message: ["can't be blank"] } }],
  [{ message: 'x', color: 'red' }, { message: { color: ['must be a valid color code'] } }],
  [
    { message: 'x', starts_at: '2026-01-02', ends_at: '2026-01-01' },
    { message: { ends_at: ['must be after starts_at'] } },
  ],
  [
    { message: 'x', target_access_levels: [60] },
    { message: { target_access_levels: ['can only be 10, 20, 30, 40, 50'] } },
  ],
  [{ message: 'x', theme: 'pink' }, { error: 'theme does not have a valid value' }],
])('%j is refused', async (body, expected) => {
  const response = await service().fetch('POST', PATH, { as: service().root, body })
  expect([response.status, await response.json()]).toEqual([400, expected])
})
