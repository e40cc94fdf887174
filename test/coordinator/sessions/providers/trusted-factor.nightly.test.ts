import { expect, test } from 'vitest'

import { applyDemands } from '../../../../src/coordinator/accounts/two-factor/demand.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { setSettings } from '../../support/set-settings.js'
import { BY_PASSWORD, callAs, CODE_PAGE, enrol } from '../app-of-user.js'
import { SamlServer } from './saml/saml-server.js'
import { openSamlScene, samlCorp } from './saml/scene.js'

const MFA = 'https://refeds.org/profile/mfa'

/** A provider whose second factor counts here, and Mary, who is linked to it. */
async function open(options: Pick<Parameters<typeof openSamlScene>[0] & object, 'open'> = {}) {
  const server = new SamlServer()
  const trustedSecondFactor = new Map([['AuthnContextClassRef', [MFA]]])
  const scene = await openSamlScene({
    ...options,
    server,
    providers: [samlCorp(server, {}, { trustedSecondFactor })],
  })
  const { call, root, mary } = scene
  await call(root, `PUT /users/${mary.id}`, { provider: 'corp', extern_uid: 'mary-at-corp' })
  const sessionOf = () =>
    scene.database
      .selectFrom('web_session')
      .select(['factor', 'enrol_by', 'confirmed_at'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  return Object.assign(scene, { call: scene.call.bind(scene), sessionOf })
}

describeOnDatabase('a second factor that the provider has asked for', (openDatabase) => {
  test('is not asked for again, and confirms the session', async () => {
    const scene = await open({ open: openDatabase })
    const browser = scene.visitor()
    await enrol(scene, browser)
    scene.server.user = { nameId: 'mary-at-corp' }
    const asked = await scene.signIn(scene.visitor())
    expect(asked.headers.location).toBe(CODE_PAGE)
    scene.server.user = { nameId: 'mary-at-corp', context: MFA }
    const other = scene.visitor()
    expect((await scene.signIn(other)).headers.location).toBe('/')
    const session = await scene.sessionOf()
    expect(session.factor).toBe('provider')
    expect(session.confirmed_at).not.toBeNull()
    const [record] = (await callAs(scene, other, 'GET', '/user/sessions')).json<object[]>()
    expect(record).toMatchObject({ provider: 'corp', second_factor: 'provider' })
    const events = (await scene.call(scene.root, 'GET /audit_events')).json<{ details: object }[]>()
    expect(events[0]?.details).toMatchObject({
      with: 'provider',
      provider: 'corp',
      second_factor: 'provider',
    })
  })

  test('counts where a factor is demanded, for that session alone', async () => {
    const scene = await open({ open: openDatabase })
    await setSettings(scene, { require_two_factor_authentication: true, two_factor_grace_period: 0 })
    scene.server.user = { nameId: 'mary-at-corp', context: MFA }
    expect((await scene.signIn(scene.visitor())).headers.location).toBe('/')
    await applyDemands(scene.database)
    expect(await scene.sessionOf()).toMatchObject({ factor: 'provider', enrol_by: null })
    const byPassword = scene.visitor()
    const response = await byPassword.signIn(BY_PASSWORD)
    expect(response.headers.location).not.toBe('/')
    await applyDemands(scene.database)
    expect((await scene.sessionOf()).enrol_by).not.toBeNull()
  })
})
