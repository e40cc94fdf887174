import { describe, expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { setSettings } from '../../support/set-settings.js'
import { addressIn, comeBack, MARY, NEW_ACCOUNTS, openProviderScene, startServer } from './scene.js'

const server = openForFile(startServer)

describe('a provider that the settings of the instance turn off', () => {
  const OFF = { disabled_oauth_sign_in_sources: ['corp'] }

  test('is not offered, and signs nobody in, also if the sign-in has begun', async () => {
    const scene = await openProviderScene({ server: server(), rules: NEW_ACCOUNTS })
    server().user = MARY
    const browser = scene.visitor()
    await browser.get('/users/sign_in')
    const callback = await comeBack(server(), await browser.submit('/users/auth/corp'))
    await setSettings(scene, OFF)
    const begun = await browser.get(callback)
    expect([begun.statusCode, await browser.name()]).toEqual([403, 401])
    const page = await browser.get('/users/sign_in')
    expect(page.body).not.toContain('Sign in with Corp')
    const forced = await browser.submit('/users/auth/corp')
    expect([forced.statusCode, forced.headers['refresh']]).toEqual([403, undefined])
    expect(forced.body).toContain('Sign-ins with Corp are turned off on this instance.')
  })

  test('is not led to, even if it is the only one', async () => {
    const scene = await openProviderScene({ server: server(), signIn: { isAutomatic: true } })
    await setSettings(scene, OFF)
    const page = await scene.visitor().get('/users/sign_in')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('name="password"')
  })
})

test.each([
  ['1', 90 * 86_400],
  ['', undefined],
])('a user may stay signed in by a provider: %j', async (remember_me, maxAge) => {
  const scene = await openProviderScene({ server: server(), rules: NEW_ACCOUNTS })
  server().user = MARY
  const browser = scene.visitor()
  await browser.get('/users/sign_in')
  const page = await browser.submit('/users/auth/corp', { remember_me })
  expect(addressIn(page)).toContain(server().issuer)
  await browser.get(await comeBack(server(), page))
  expect(await browser.name()).toBe('mary.corp')
  const attributes = browser.attributes.get('switchyard_session') ?? ''
  expect(/Max-Age=(\d+)/.exec(attributes)?.[1]).toBe(maxAge?.toString())
})
