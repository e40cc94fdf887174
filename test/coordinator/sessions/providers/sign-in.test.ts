import { describe, expect, test } from 'vitest'

import { describeOnEachDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { openProviderScene, startServer } from './scene.js'

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

describe('the sign-in page', () => {
  test('has a button for each provider', async () => {
    const { visitor } = await openProviderScene({ server: server() })
    const { body } = await visitor().get('/users/sign_in?return_to=/app')
    expect(body).toContain('<button>Sign in with Corp</button>')
  })
})
