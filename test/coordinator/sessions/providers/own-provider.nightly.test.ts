import { expect, test } from 'vitest'

import { freePort } from '../../../support/free-port.js'
import { onFinished } from '../../../support/lifetime.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { openSignInScene, PASSWORD } from '../scene.js'
import { addressIn, corp } from './scene.js'

test('a coordinator is the provider of another one', async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`
  const provider = await openSignInScene({ externalUrl: issuer })
  await provider.app.listen({ host: '127.0.0.1', port: Number(new URL(issuer).port) })
  onFinished(() => provider.app.close())
  const { application_id, secret } = (
    await provider.app.inject({
      method: 'POST',
      url: '/api/v4/applications',
      headers: { 'private-token': provider.root.token },
      payload: {
        name: 'Other coordinator',
        redirect_uri: `${EXTERNAL_URL}/users/auth/corp/callback`,
        scopes: 'openid profile email',
      },
    })
  ).json<{ application_id: string; secret: string }>()

  const settings = { ...corp(issuer, { newAccounts: true }), clientId: application_id, clientSecret: secret }
  const scene = await openSignInScene({ settings: { signIn: { isAutomatic: false, providers: [settings] } } })
  await scene.database
    .updateTable('user')
    .set({ email: 'old@example.com' })
    .where('username', '=', 'mary')
    .execute()
  const browser = scene.visitor()
  await browser.get('/users/sign_in?return_to=/app')
  const address = new URL(addressIn(await browser.submit('/users/auth/corp')))
  const there = provider.visitor()
  await there.signIn({ username: 'mary', password: PASSWORD })
  await there.get(address.pathname + address.search)
  const decided = await there.submit(address.pathname, { decision: 'allow' })
  const callback = String(decided.headers.location).replace(EXTERNAL_URL, '')
  const response = await browser.get(callback)
  expect([response.statusCode, response.headers.location]).toEqual([303, '/app'])
  expect(await browser.name()).toBe('mary2')
  const session = await scene.database.selectFrom('web_session').selectAll().executeTakeFirstOrThrow()
  expect(session).toMatchObject({ provider: 'corp', provider_subject: String(provider.mary.id) })
  // A coordinator says when its user gave the password.
  expect(session.confirmed_at).not.toBeNull()
})
