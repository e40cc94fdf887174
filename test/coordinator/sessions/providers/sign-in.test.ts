import { describe, expect, onTestFinished, test, vi } from 'vitest'

import type { ProviderRules } from '../../../../src/coordinator/sessions/providers/provider-settings.js'
import { MINUTE } from '../../../../src/lib/time-units.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import type { Claims } from './openid-server.js'
import { corp, openProviderScene, type ProviderScene, startServer } from './scene.js'

const server = openForFile(startServer)

const MARY = {
  sub: 'mary-at-corp',
  name: 'Mary of Corp',
  preferred_username: 'mary.corp',
  email: 'mary@corp.example',
  email_verified: true,
}

describeOnEachDatabase('sign-in by a provider', (open) => {
  test('creates the account at the first sign-in, and finds it at the next', async () => {
    const scene = await openProviderScene({ open, rules: { newAccounts: true }, server: server() })
    scene.server.user = MARY
    const browser = scene.visitor()
    const response = await scene.signIn(browser, '?return_to=%2Fapp%2F-%2Fjobs%2F1')
    expect(response.body).toBe('')
    expect([response.statusCode, response.headers.location]).toEqual([303, '/app/-/jobs/1'])
    expect(await browser.name()).toBe('mary.corp')
    const again = scene.visitor()
    await scene.signIn(again)
    expect(await again.name()).toBe('mary.corp')
    const user = (await scene.call(scene.root, 'GET /users?username=mary.corp')).json<object[]>()
    expect(user).toMatchObject([
      { name: 'Mary of Corp', identities: [{ provider: 'corp', extern_uid: 'mary-at-corp' }] },
    ])
  })
})

const NEW_ACCOUNTS = { newAccounts: true }

/** The page that a user of the provider sees after a sign-in, and the name of the user who is signed in. */
async function arrive(
  user: Claims,
  rules: Partial<ProviderRules>,
  prepare?: (scene: ProviderScene) => unknown,
) {
  const scene = await openProviderScene({ server: server(), rules })
  await prepare?.(scene)
  const browser = scene.visitor()
  server().user = user
  server().forgetBrowser()
  const response = await scene.signIn(browser)
  return { scene, browser, response, status: response.statusCode, name: await browser.name() }
}

describe('the sign-in page', () => {
  test('has a button for each provider', async () => {
    const { visitor } = await openProviderScene({ server: server() })
    const { body } = await visitor().get('/users/sign_in?return_to=/app')
    expect(body).toContain('<button>Sign in with Corp</button>')
    expect(body).toContain('name="password"')
  })

  test('leads to the only provider if that is set, but not after a sign-out and not if asked', async () => {
    const scene = await openProviderScene({ server: server(), signIn: { isAutomatic: true } })
    const response = await scene.visitor().get('/users/sign_in?return_to=/app')
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toMatch(new RegExp(`^${server().issuer}/auth\\?`))
    for (const query of ['signed_out=1', 'auto=0']) {
      const page = await scene.visitor().get(`/users/sign_in?${query}`)
      expect(page.body).toContain('<button>Sign in with Corp</button>')
    }
  })

  test('says that a provider is not reachable, and serves the others', async () => {
    const down = corp('http://127.0.0.1:9', {}, 'down')
    const scene = await openProviderScene({
      server: server(),
      signIn: { providers: [down, corp(server().issuer)] },
    })
    const browser = scene.visitor()
    await browser.get('/users/sign_in')
    const response = await browser.submit('/users/auth/down')
    expect(response.statusCode).toBe(503)
    expect(response.body).toContain('down is not reachable at the moment.')
    expect(response.body).toContain('href="/users/sign_in?auto=0"')
    await browser.get('/users/sign_in')
    expect((await browser.submit('/users/auth/corp')).statusCode).toBe(200)
    const automatic = await openProviderScene({
      server: server(),
      signIn: { isAutomatic: true, providers: [down] },
    })
    const page = await automatic.visitor().get('/users/sign_in')
    expect(page.statusCode).toBe(503)
    expect(page.body).toContain('down is not reachable at the moment.')
    expect(page.body).toContain('name="password"')
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
})

describe('without an account', () => {
  test('nobody is signed in unless new accounts are allowed', async () => {
    const { status, response, name } = await arrive(MARY, {})
    expect([status, name]).toEqual([403, 401])
    expect(response.body).toContain('No account is linked to you at Corp.')
  })

  test('a new account may need the approval of an administrator', async () => {
    const { scene, status, response, name } = await arrive(MARY, {
      ...NEW_ACCOUNTS,
      newAccountsApproval: true,
    })
    expect([status, name]).toEqual([403, 401])
    expect(response.body).toContain('Your account waits for the approval of an administrator.')
    const [user] = (await scene.call(scene.root, 'GET /users?username=mary.corp')).json<
      { id: number; state: string }[]
    >()
    expect(user?.state).toBe('blocked_pending_approval')
    await scene.call(scene.root, `POST /users/${user?.id}/approve`)
    const browser = scene.visitor()
    await scene.signIn(browser)
    expect(await browser.name()).toBe('mary.corp')
  })

  test('a new account may be external, and its address is confirmed only if the provider has verified it', async () => {
    const verified = await arrive(MARY, { ...NEW_ACCOUNTS, newAccountsExternal: true })
    expect(await ownAccount(verified)).toMatchObject({
      external: true,
      confirmed_at: expect.any(String) as string,
    })
    const unverified = await arrive({ ...MARY, email_verified: undefined }, NEW_ACCOUNTS)
    expect(await ownAccount(unverified)).toMatchObject({ external: false, confirmed_at: null })
  })
})

describe('an account with the same address', () => {
  const SAME = { ...MARY, email: 'MARY@example.com' }

  test('is signed in to as before, and then linked', async () => {
    const { status, response, name } = await arrive(SAME, NEW_ACCOUNTS)
    expect([status, name]).toEqual([403, 401])
    expect(response.body).toContain('There is an account with your e-mail address already.')
  })

  test('is linked at once if that is set and both have verified the address', async () => {
    const rules = { linkByVerifiedEmail: true }
    expect((await arrive(SAME, rules)).name).toBe('mary')
    const unconfirmed = await arrive(SAME, rules, ({ database, mary }) =>
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
    expect((await arrive({ ...MARY, email: 'other@corp.example' }, {}, linked)).name).toBe('mary')
  })

  test('of a blocked account is refused', async () => {
    const { response, name } = await arrive(MARY, {}, async (scene) => {
      await linked(scene)
      await scene.call(scene.root, `POST /users/${scene.mary.id}/block`)
    })
    expect(name).toBe(401)
    expect(response.body).toContain('Your account has been blocked.')
  })

  test('is in the audit trail as a sign-in by a provider', async () => {
    const { scene } = await arrive(MARY, {}, linked)
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

async function ownAccount({ scene, name }: { scene: ProviderScene; name: string | number }): Promise<object> {
  const [user = {}] = (await scene.call(scene.root, `GET /users?username=${name}`)).json<object[]>()
  return user
}
