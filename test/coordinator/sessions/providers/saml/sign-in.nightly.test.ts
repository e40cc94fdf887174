import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../../support/databases.js'
import { openSamlScene } from './scene.js'

const MARY = {
  nameId: 'mary-at-corp',
  sessionIndex: 'session of mary',
  attributes: {
    username: 'mary.corp',
    name: 'Mary of Corp',
    email: 'mary@corp.example',
    groups: ['devs', 'ops'],
  },
}

describeOnDatabase('sign-in by SAML', (open) => {
  test('creates the account at the first sign-in, and finds it at the next', async () => {
    const scene = await openSamlScene({ open })
    scene.server.user = MARY
    const browser = scene.visitor()
    const id = await scene.leave(browser, '?return_to=%2Fapp%2F-%2Fjobs%2F1')
    const arrived = await scene.post(await scene.server.respond(await scene.metadataOf(), id))
    expect(arrived.statusCode).toBe(303)
    expect(arrived.headers.location).toMatch(/^\/users\/auth\/corp\/callback\?state=_[0-9a-f]{40}&proof=/)
    const response = await browser.get(String(arrived.headers.location))
    expect([response.statusCode, response.headers.location]).toEqual([303, '/app/-/jobs/1'])
    expect(await browser.name()).toBe('mary.corp')
    const again = scene.visitor()
    await scene.signIn(again)
    expect(await again.name()).toBe('mary.corp')
    const user = (await scene.call(scene.root, 'GET /users?username=mary.corp')).json<object[]>()
    expect(user).toMatchObject([
      {
        name: 'Mary of Corp',
        confirmed_at: null,
        identities: [{ provider: 'corp', extern_uid: 'mary-at-corp' }],
      },
    ])
    expect(await scene.database.selectFrom('proven_sign_in').select('digest').execute()).toEqual([])
  })
})
