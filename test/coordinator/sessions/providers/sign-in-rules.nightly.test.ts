import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { MINUTE } from '../../../../src/lib/time-units.js'
import { openForFile } from '../../../support/lifetime.js'
import {
  arrive,
  MARY,
  NEW_ACCOUNTS,
  openProviderScene,
  ownAccount,
  type ProviderScene,
  startServer,
} from './scene.js'

// The rules are decided by a pure function, whose cases run always; this is the whole way.

const server = openForFile(startServer)

test('a new account may be external, and its address is confirmed only if the provider has verified it', async () => {
  const verified = await arrive(server(), MARY, { ...NEW_ACCOUNTS, newAccountsExternal: true })
  expect(await ownAccount(verified)).toMatchObject({
    external: true,
    confirmed_at: expect.any(String) as string,
  })
  const unverified = await arrive(server(), { ...MARY, email_verified: undefined }, NEW_ACCOUNTS)
  expect(await ownAccount(unverified)).toMatchObject({ external: false, confirmed_at: null })
})

test('a provider that is back signs in again', async () => {
  const stopped = await startServer()
  const scene = await openProviderScene({ server: stopped, rules: NEW_ACCOUNTS })
  await stopped.close()
  const browser = scene.visitor()
  await browser.get('/users/sign_in')
  expect((await browser.submit('/users/auth/corp')).statusCode).toBe(503)
  await stopped.listenAgain()
  stopped.user = MARY
  expect((await scene.signIn(browser)).statusCode).toBe(303)
})

describe('an account with the same address', () => {
  const SAME = { ...MARY, email: 'MARY@example.com' }

  test('is signed in to as before, and then linked', async () => {
    const { status, response, name } = await arrive(server(), SAME, NEW_ACCOUNTS)
    expect([status, name]).toEqual([403, 401])
    expect(response.body).toContain('There is an account with your e-mail address already.')
  })

  test('is linked at once if that is set and both have verified the address', async () => {
    const rules = { linkByVerifiedEmail: true }
    expect((await arrive(server(), SAME, rules)).name).toBe('mary')
    const unconfirmed = await arrive(server(), SAME, rules, ({ database, mary }) =>
      database
        .updateTable('user_profile')
        .set({ confirmed_at: null })
        .where('user_id', '=', mary.id)
        .execute(),
    )
    expect(unconfirmed.name).toBe(401)
  })
})

describe('a known identity', () => {
  const linked = ({ call, root, mary }: ProviderScene) =>
    call(root, `PUT /users/${mary.id}`, { provider: 'corp', extern_uid: MARY.sub })

  test('signs in to its account, whatever its address', async () => {
    expect((await arrive(server(), { ...MARY, email: 'other@corp.example' }, {}, linked)).name).toBe('mary')
  })

  test('of a blocked account is refused', async () => {
    const { response, name } = await arrive(server(), MARY, {}, async (scene) => {
      await linked(scene)
      await scene.call(scene.root, `POST /users/${scene.mary.id}/block`)
    })
    expect(name).toBe(401)
    expect(response.body).toContain('Your account has been blocked.')
  })

  test('is in the audit trail as a sign-in by a provider', async () => {
    const { scene } = await arrive(server(), MARY, {}, linked)
    const events = (await scene.call(scene.root, 'GET /audit_events')).json<{ details: object }[]>()
    expect(events[0]?.details).toMatchObject({ with: 'provider', custom_message: 'Signed in' })
  })
})

test('the keys of a provider may change', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const own = await startServer()
  const scene = await openProviderScene({ server: own, rules: NEW_ACCOUNTS })
  own.user = MARY
  expect((await scene.signIn(scene.visitor())).statusCode).toBe(303)
  await own.replaceKey()
  vi.setSystemTime(Date.now() + 2 * MINUTE)
  own.forgetBrowser()
  expect((await scene.signIn(scene.visitor())).statusCode).toBe(303)
})
