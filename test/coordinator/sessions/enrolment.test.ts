import { describe, expect, test, vi } from 'vitest'

import { applyDemands, changedDeadlines } from '../../../src/coordinator/accounts/two-factor/demand.js'
import { describeOnDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { setSettings } from '../support/set-settings.js'
import { BY_PASSWORD, callAs, codeOf, enrol } from './app-of-user.js'
import { openSignInScene, type SignInScene } from './scene.js'

const PAGE = '/-/users/two_factor'
const HOUR = 3_600_000

async function demand(scene: SignInScene, hours: number): Promise<void> {
  await setSettings(scene, {
    require_two_factor_authentication: true,
    two_factor_grace_period: hours,
  })
}

function secretIn(page: string): string {
  return (/<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '')
}

describeOnDatabase('an instance that requires a second factor', (open) => {
  test('shows the page for it after the sign-in, which leads on within the grace period', async () => {
    const scene = await openSignInScene({ open })
    await demand(scene, 2)
    const mary = scene.visitor()
    const response = await mary.signIn(BY_PASSWORD, '?return_to=/app')
    expect(response.headers.location).toBe(`${PAGE}?redirect=%2Fapp`)
    const page = await mary.get(`${PAGE}?redirect=%2Fapp`)
    expect(page.body).toContain('<a href="/app">Later</a>')
    expect(await mary.name()).toBe('mary')
  })

  test('closes everything else after the grace period, until the user has set up an app', async () => {
    const scene = await openSignInScene({ open })
    await demand(scene, 0)
    const mary = scene.visitor()
    await mary.signIn(BY_PASSWORD)
    expect((await callAs(scene, mary, 'GET', '/user')).json()).toEqual({
      error: 'two_factor_required',
      message: '403 Forbidden - You must set up two-factor authentication first, at /-/users/two_factor',
    })
    const page = await mary.get(`${PAGE}?redirect=/app`)
    expect(page.body).not.toContain('Later')
    const secret = secretIn(page.body)
    const wrong = await mary.submit(PAGE, { code: codeOf(secret, 9) })
    expect([wrong.statusCode, secretIn(wrong.body)]).toEqual([401, secret])
    const enrolled = await mary.submit(PAGE, { code: codeOf(secret) })
    expect(enrolled.body.match(/<li><code>/g)).toHaveLength(10)
    expect(enrolled.body).toContain('href="/app"')
    expect(await mary.name()).toBe('mary')
  })

  test('reaches the sessions that are open, and leaves tokens alone', async () => {
    const scene = await openSignInScene({ open })
    const mary = scene.visitor()
    await mary.signIn(BY_PASSWORD)
    await demand(scene, 0)
    await applyDemands(scene.database)
    expect(await mary.name()).toBe(403)
    expect((await scene.call(scene.mary, 'GET /user')).statusCode).toBe(200)
    await setSettings(scene, { require_two_factor_authentication: false })
    await applyDemands(scene.database)
    expect(await mary.name()).toBe('mary')
  })

  test.each(['above', 'below'])('so does a group %s that of the user', async (where) => {
    const scene = await openSignInScene({ open })
    const { root, mary } = scene
    const outer = await scene.call(root, 'POST /groups', { name: 'outer', path: 'outer' })
    const { id } = outer.json<{ id: number }>()
    const nested = { name: 'inner', path: 'inner', parent_id: id }
    const inner = (await scene.call(root, 'POST /groups', nested)).json<{ id: number }>()
    const [own, demanding] = where === 'above' ? [inner.id, id] : [id, inner.id]
    await scene.call(root, `POST /groups/${own}/members`, { user_id: mary.id, access_level: 30 })
    const browser = scene.visitor()
    expect((await browser.signIn(BY_PASSWORD)).headers.location).toBe('/')
    const rule = { require_two_factor_authentication: true, two_factor_grace_period: 0 }
    await scene.call(root, `PUT /groups/${demanding}`, rule)
    expect((await scene.visitor().signIn(BY_PASSWORD)).headers.location).toBe(`${PAGE}?redirect=%2F`)
    await applyDemands(scene.database)
    expect(await browser.name()).toBe(403)
  })
})

test('a session that does not prove who is at the browser sets up nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const scene = await openSignInScene()
    await demand(scene, 0)
    const thief = scene.visitor()
    await thief.signIn(BY_PASSWORD)
    const secret = secretIn((await thief.get(PAGE)).body)
    vi.setSystemTime(Date.now() + 31 * 60_000)
    expect((await thief.submit(PAGE, { code: codeOf(secret) })).headers.location).toBe(`${PAGE}?redirect=%2F`)
    const page = await thief.get(PAGE)
    expect([secretIn(page.body), page.body.includes('Sign out and sign in')]).toEqual(['', true])
    // The secret of the thief is not that of the page of the owner.
    const mary = scene.visitor()
    await mary.signIn(BY_PASSWORD)
    expect(secretIn((await mary.get(PAGE)).body)).not.toBe(secret)
  } finally {
    vi.useRealTimers()
  }
})

testAtNight('turning the factor off begins no new grace period', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const scene = await openSignInScene()
    await demand(scene, 2)
    const mary = scene.visitor()
    await enrol(scene, mary)
    vi.setSystemTime(Date.now() + 3 * HOUR)
    await scene.call(scene.root, `PATCH /users/${scene.mary.id}/disable_two_factor`)
    const browser = scene.visitor()
    await browser.signIn(BY_PASSWORD)
    expect(await browser.name()).toBe(403)
  } finally {
    vi.useRealTimers()
  }
})

describe('the deadlines of sessions', () => {
  const hours = (of: number, hasFactor = false) => new Map([[1, { hours: of, hasFactor }]])
  test.each([
    ['a new demand', null, hours(1), [{ userId: 1, deadline: 1000 + HOUR }]],
    ['another grace period', 1000 + HOUR, hours(3), [{ userId: 1, deadline: 1000 + 3 * HOUR }]],
    ['a demand that is the same', 1000 + HOUR, hours(1), []],
    ['a user with a factor', 1000 + HOUR, hours(1, true), [{ userId: 1, deadline: null }]],
    ['a demand that has ended', 1000 + HOUR, new Map(), [{ userId: 1, deadline: null }]],
  ])('change with %s', (_name, deadline, needs, changed) => {
    expect(changedDeadlines([{ userId: 1, deadline }], needs, new Map([[1, 1000]]))).toEqual(changed)
  })
})
