import { describe, expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { arrive, corp, MARY, NEW_ACCOUNTS, openProviderScene, startServer } from './scene.js'

const server = openForFile(startServer)

describeOnDatabase('sign-in by a provider', (open) => {
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

describe('the sign-in page', () => {
  testAtNight('has a button for each provider', async () => {
    const { visitor } = await openProviderScene({ server: server() })
    const { body } = await visitor().get('/users/sign_in?return_to=/app')
    expect(body).toContain('formaction="auth/corp" formnovalidate>Sign in with Corp</button>')
    expect(body).toContain('name="password"')
  })

  testAtNight(
    'leads to the only provider if that is set, but not after a sign-out and not if asked',
    async () => {
      const scene = await openProviderScene({ server: server(), signIn: { isAutomatic: true } })
      const response = await scene.visitor().get('/users/sign_in?return_to=/app')
      expect(response.statusCode).toBe(303)
      expect(response.headers.location).toMatch(new RegExp(`^${server().issuer}/auth\\?`))
      for (const query of ['signed_out=1', 'auto=0']) {
        const page = await scene.visitor().get(`/users/sign_in?${query}`)
        expect(page.body).toContain('formaction="auth/corp" formnovalidate>Sign in with Corp</button>')
      }
    },
  )

  testAtNight('says that a provider is not reachable, and serves the others', async () => {
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
})

describe('without an account', () => {
  test('nobody is signed in unless new accounts are allowed', async () => {
    const { status, response, name } = await arrive(server(), MARY, {})
    expect([status, name]).toEqual([403, 401])
    expect(response.body).toContain('No account is linked to you at Corp.')
  })

  test('a new account may need the approval of an administrator', async () => {
    const { scene, status, response, name } = await arrive(server(), MARY, {
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
})
