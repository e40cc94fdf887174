import * as client from 'openid-client'
import { expect, test } from 'vitest'

import { type Person, Service } from './support/service.js'

const PASSWORD = 'correct horse battery'
const BACK = 'http://127.0.0.1:7171/back'
const SCOPE = 'openid profile email read_user'

/** A user with a password, and an application that may know who its users are. */
async function openScene(confidential: boolean) {
  const service = await Service.start()
  const mary = await service.addPerson('mary')
  await service.json('PUT', `/users/${mary.id}`, { password: PASSWORD })
  const application = await service.json<{ application_id: string; secret: string }>(
    'POST',
    '/applications',
    {
      name: 'Site',
      redirect_uri: BACK,
      scopes: SCOPE,
      confidential,
    },
  )
  const secret = confidential ? application.secret : undefined
  const authentication = confidential ? undefined : client.None()
  const config = await client.discovery(
    new URL(service.url),
    application.application_id,
    secret,
    authentication,
    // Over https alone otherwise.
    { execute: [client.allowInsecureRequests] },
  )
  return { service, mary, config }
}

/** Fills in a page and sends it, as a browser does; returns where it leads, and the page. */
async function fillIn(
  page: URL,
  fields: Record<string, string>,
): Promise<{ location: string; body: string }> {
  const form = await (await fetch(page)).text()
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const kept = hidden.map(([, name = '', value = '']) => [name, value] as const)
  const body = new URLSearchParams({ ...Object.fromEntries(kept), ...fields })
  const sent = await fetch(page.origin + page.pathname, { method: 'POST', body, redirect: 'manual' })
  return { location: sent.headers.get('location') ?? '', body: await sent.text() }
}

function whoIs(service: Service, mary: Person) {
  return {
    sub: String(mary.id),
    name: 'mary',
    nickname: 'mary',
    preferred_username: 'mary',
    email: 'mary@example.com',
    email_verified: true,
    profile: `${service.url}/mary`,
  }
}

test('openid-client signs people in with a code, refreshes, reads who they are and signs out', async () => {
  const { service, mary, config } = await openScene(true)
  const [verifier, state, nonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ]
  const asked = client.buildAuthorizationUrl(config, {
    redirect_uri: BACK,
    scope: SCOPE,
    state,
    nonce,
    max_age: '3600',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const { location } = await fillIn(asked, { username: 'mary', password: PASSWORD, decision: 'allow' })
  const tokens = await client.authorizationCodeGrant(config, new URL(location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    maxAge: 3600,
    idTokenExpected: true,
  })
  expect(tokens.claims()).toMatchObject({ ...whoIs(service, mary), nonce, groups_direct: [] })

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(refreshed.claims()).toMatchObject(whoIs(service, mary))
  const told = await client.fetchUserInfo(config, refreshed.access_token, String(mary.id))
  expect(told).toEqual({ ...whoIs(service, mary), groups: [] })
  const api = new URL('/api/v4/user', service.url)
  const user = await client.fetchProtectedResource(config, refreshed.access_token, api, 'GET')
  expect(await user.json()).toMatchObject({ username: 'mary' })

  await client.tokenRevocation(config, refreshed.access_token)
  await expect(client.fetchUserInfo(config, refreshed.access_token, String(mary.id))).rejects.toMatchObject({
    status: 401,
  })
})

test('openid-client checks the signature with the keys of the coordinator', async () => {
  const { mary, service, config } = await openScene(true)
  client.enableNonRepudiationChecks(config)
  const tokens = await client.genericGrantRequest(config, 'password', {
    username: 'mary',
    password: PASSWORD,
    scope: 'openid email',
  })
  expect(tokens.claims()).toMatchObject(whoIs(service, mary))
})

test('openid-client signs in an approved device and receives a denial', async () => {
  const { mary, service, config } = await openScene(false)
  const device = await client.initiateDeviceAuthorization(config, { scope: SCOPE })
  expect([device.interval, device.expires_in]).toEqual([5, 300])
  const page = new URL(device.verification_uri_complete ?? '')
  expect(await (await fetch(page)).text()).toContain(`value="${device.user_code}"`)
  const decision = { user_code: device.user_code, username: 'mary', password: PASSWORD, decision: 'allow' }
  expect((await fillIn(page, decision)).body).toContain('Site is authorized')
  // It waits before it asks for the first time.
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.001 })
  expect(tokens.claims()).toMatchObject(whoIs(service, mary))
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).claims()?.sub).toBe(
    String(mary.id),
  )

  const refused = await client.initiateDeviceAuthorization(config, { scope: SCOPE })
  await fillIn(page, { user_code: refused.user_code, decision: 'deny' })
  await expect(
    client.pollDeviceAuthorizationGrant(config, { ...refused, interval: 0.001 }),
  ).rejects.toMatchObject({ error: 'access_denied' })
})
