import { expect, test } from 'vitest'

import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { Passwords } from '../../../src/coordinator/http/authentication/passwords.js'
import { subjectOfAddress } from '../../../src/coordinator/http/rate-limits/address-subject.js'
import { DEFAULT_RATE_LIMITS, RateLimits } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import {
  createSharedCounts,
  deleteAttemptsBefore,
} from '../../../src/coordinator/http/rate-limits/shared-counts.js'
import { Service } from '../../conformance/support/service.js'
import { makeChecksCheap } from '../../coordinator/support/cheap-passwords.js'
import { describeOnEachDatabase } from '../../support/databases.js'

const PASSWORD = 'correct horse battery'
const MARY = { username: 'mary', name: 'Mary', email: 'mary@example.com', password: PASSWORD }

describeOnEachDatabase('Wrong credentials', (open) => {
  test('are counted by all coordinators on one store together', async () => {
    const { database } = await open()
    const now = () => 1_000_000
    const settings = { ...DEFAULT_RATE_LIMITS, failedAuthentications: 3 }
    const [one, other] = [1, 2].map(() => new RateLimits(settings, now, createSharedCounts(database)))
    await one?.recordFailure('192.0.2.1')
    await one?.recordFailure('192.0.2.1')
    await other?.recordFailure('192.0.2.1')
    await expect(other?.recordFailure('192.0.2.1')).rejects.toMatchObject({ status: 429 })
    await one?.recordFailure('192.0.2.1')
    await expect(one?.recordFailure('192.0.2.1')).rejects.toMatchObject({ status: 429 })
    await other?.recordFailure('192.0.2.2')
    await deleteAttemptsBefore(database, 2_000_000)
    expect(await database.selectFrom('failed_attempt').selectAll().execute()).toEqual([])
  })

  test('of one account from one address close it to that address on every coordinator, until the time is over or the right one came before', async () => {
    const { database } = await open()
    await createUser(database, MARY)
    await makeChecksCheap(database, PASSWORD)
    let now = 0
    const passwords = () => new Passwords(database, () => now, createSharedCounts(database))
    const [one, other] = [passwords(), passwords()]
    for (let time = 0; time < 5; time++) await one.userOf('mary', 'wrong')
    expect(await one.userOf('mary', PASSWORD)).toMatchObject({ username: 'mary' })
    for (let time = 0; time < 9; time++) await one.userOf('mary', 'wrong')
    await other.userOf('mary', 'wrong')
    expect(await other.userOf('mary', PASSWORD)).toBeUndefined()
    now += 10 * 60_000
    expect(await other.userOf('mary', PASSWORD)).toMatchObject({ username: 'mary' })
  })
})

test('git puts off who shows one password after the other, keeps who it was, and lets a token in', async () => {
  const service = await Service.start({ SWITCHYARD_RATE_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE: '3' })
  const { token } = await service.addPerson('mary')
  await service.json('PUT', '/users/2', { password: PASSWORD })
  const project = await service.addProject({}, service.root, { visibility: 'public' })
  const ask = async (name: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    const url = `${service.url}/${project.path}.git/info/refs?service=git-upload-pack`
    const response = await fetch(url, { headers: { authorization } })
    return {
      status: response.status,
      after: response.headers.get('retry-after'),
      text: await response.text(),
    }
  }
  const statuses: number[] = []
  // A minute may end in between.
  for (let time = 0; time < 8; time++) statuses.push((await ask('mary', `wrong ${time}`)).status)
  expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
  expect(statuses).toContain(429)
  const last = await ask('nobody', PASSWORD)
  if (last.status === 429) {
    expect(Number(last.after)).toBeGreaterThan(0)
    expect(last.text).toContain('try again later')
  }
  expect((await ask('oauth2', token)).status).toBe(200)
  expect((await service.fetch('GET', '/user', { as: service.root })).status).toBe(200)
  const trail = await service.json<unknown[]>('GET', '/audit_events?entity_type=User&entity_id=2')
  expect(trail).toContainEqual(
    expect.objectContaining({
      author_id: -1,
      details: expect.objectContaining({ failed_login: 'STANDARD', author_name: 'mary' }) as unknown,
    }),
  )
  expect(JSON.stringify(trail)).not.toMatch(/wrong \d|horse/)
})

test.each([
  ['192.0.2.1', 'address 192.0.2.1'],
  ['::ffff:192.0.2.1', 'address 192.0.2.1'],
  ['2001:db8::1', 'address 2001:db8:0:0::/64'],
  ['2001:DB8:0:0:1:2:3:4', 'address 2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', 'address 2001:db8:0:1::/64'],
  ['::1', 'address 0:0:0:0::/64'],
  ['fe80::1%eth0', 'address fe80:0:0:0::/64'],
])('%s counts as %s', (address, subject) => {
  expect(subjectOfAddress(address)).toBe(subject)
})
