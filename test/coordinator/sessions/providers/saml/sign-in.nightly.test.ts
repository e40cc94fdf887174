import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { csrfTokenOf } from '../../../../../src/coordinator/http/authentication/csrf.js'
import type {
  ProviderRules,
  SamlSettings,
} from '../../../../../src/coordinator/sessions/providers/provider-settings.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { openBrowser } from '../../../support/browser.js'
import { EXTERNAL_URL } from '../../../support/test-app.js'
import { PASSWORD } from '../../scene.js'
import { addressIn } from '../scene.js'
import { KEYS } from './keys.js'
import { RSA_SHA1, SamlServer, type SamlUser } from './saml-server.js'
import { openSamlScene, samlCorp } from './scene.js'

const NEW = { newAccounts: true }

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

/** Signs Mary, or the user of the server, in to a new scene. */
async function arrive(
  changes: Partial<SamlSettings>,
  { server = new SamlServer(), rules = NEW, user = MARY }: Arrival = {},
) {
  const scene = await openSamlScene({ server, providers: [samlCorp(server, changes, rules)] })
  server.user = user
  const browser = scene.visitor()
  const response = await scene.signIn(browser)
  return { scene, browser, response, status: response.statusCode, name: await browser.name() }
}

interface Arrival {
  server?: SamlServer
  rules?: Partial<ProviderRules>
  user?: SamlUser
}

const SP_KEYS = { key: KEYS.sp.key, certificate: KEYS.sp.certificate }

describe('an encrypted assertion', () => {
  test('is read with the key of the settings', async () => {
    const server = new SamlServer({ encrypts: true })
    expect((await arrive({ keyPair: SP_KEYS }, { server })).name).toBe('mary.corp')
  })

  test('is signed with SHA-2 as well, and for this key', async () => {
    const server = new SamlServer({ encrypts: true, algorithm: RSA_SHA1 })
    expect(await arrive({ keyPair: SP_KEYS }, { server })).toMatchObject({ status: 400, name: 401 })
    const scene = await openSamlScene({ providers: [samlCorp(new SamlServer(), { keyPair: SP_KEYS }, NEW)] })
    const forOther = (await scene.metadataOf()).replaceAll(bodyOf(KEYS.sp), bodyOf(KEYS.other))
    const id = await scene.leave(scene.visitor())
    const message = await new SamlServer({ encrypts: true }).respond(forOther, id)
    expect((await scene.post(message)).statusCode).toBe(400)
  })
})

const bodyOf = ({ certificate }: { certificate: string }) =>
  certificate.replaceAll(/-----[A-Z ]+-----|\n/g, '')

test('requests are signed with the key of the settings, which the metadata contain', async () => {
  const server = new SamlServer({ wantsSignedRequests: true })
  expect((await arrive({ keyPair: SP_KEYS }, { server })).name).toBe('mary.corp')
  await expect(arrive({}, { server })).rejects.toThrow('ERR_')
})

describe('the ID of a user', () => {
  test('is never a transient one', async () => {
    const user = { ...MARY, format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }
    const { response, status, name } = await arrive({}, { user })
    expect([status, name]).toEqual([400, 401])
    expect(response.body).toContain(
      'Corp does not say permanently who you are. Ask an administrator. The NameID is transient',
    )
    const attributes = { ...MARY.attributes, employeeNumber: '4711' }
    const { scene } = await arrive({ subjectAttribute: 'employeeNumber' }, { user: { ...user, attributes } })
    const identities = await scene.database.selectFrom('user_identity').select('extern_uid').execute()
    expect(identities).toEqual([{ extern_uid: '4711' }])
  })

  test('has the format of the settings', async () => {
    const user = { ...MARY, format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' }
    const refused = await arrive({}, { user })
    expect(refused.response.body).toContain('set name_id_format or subject_attribute')
    expect((await arrive({ nameIdFormat: 'email' }, { user })).name).toBe('mary.corp')
  })

  test('is one value of the attribute', async () => {
    const attributes = { ...MARY.attributes, employeeNumber: ['1', '2'] }
    const { response } = await arrive(
      { subjectAttribute: 'employeeNumber' },
      { user: { ...MARY, attributes } },
    )
    expect(response.body).toContain('subject_attribute: the assertion needs one value of employeeNumber')
  })
})

test('addresses are verified, and groups give memberships, as the settings say', async () => {
  const server = new SamlServer()
  const rules = { ...NEW, groups: new Map([['devs', [{ path: 'app', accessLevel: 30 }]]]) }
  const scene = await openSamlScene({
    server,
    providers: [samlCorp(server, { emailsVerified: true }, { ...rules, allowedDomains: ['corp.example'] })],
  })
  await scene.call(scene.root, 'POST /groups', { name: 'app', path: 'app' })
  server.user = MARY
  const browser = scene.visitor()
  await scene.signIn(browser)
  const [user] = (await scene.call(scene.root, 'GET /users?username=mary.corp')).json<object[]>()
  expect(user).toMatchObject({ confirmed_at: expect.any(String) as string })
  const members = (await scene.call(scene.root, 'GET /groups/app/members')).json<object[]>()
  expect(members).toContainEqual(expect.objectContaining({ username: 'mary.corp', access_level: 30 }))
})

test('required_claims apply to attributes and to how the user has authenticated', async () => {
  const MFA = 'https://refeds.org/profile/mfa'
  const rules = {
    ...NEW,
    requiredClaims: new Map([
      ['AuthnContextClassRef', [MFA]],
      ['groups', ['ops']],
    ]),
  }
  const refused = await arrive({}, { rules })
  expect(refused.response.body).toContain('the claim AuthnContextClassRef is missing or has another value')
  const pretended = { ...MARY, attributes: { ...MARY.attributes, AuthnContextClassRef: MFA } }
  expect((await arrive({}, { rules, user: pretended })).name).toBe(401)
  expect((await arrive({}, { rules, user: { ...MARY, context: MFA } })).name).toBe('mary.corp')
})

test('a name is put together from its parts', async () => {
  const attributes = { ...MARY.attributes, name: '', givenName: 'Mary', sn: 'Major' }
  const { scene } = await arrive({}, { user: { ...MARY, attributes } })
  const [user] = (await scene.call(scene.root, 'GET /users?username=mary.corp')).json<object[]>()
  expect(user).toMatchObject({ name: 'Mary Major' })
})

test('the page says why a provider has not signed the user in', async () => {
  const scene = await openSamlScene()
  const id = await scene.leave(scene.visitor())
  const response = await scene.post(
    await scene.server.respond(await scene.metadataOf(), id, { status: 'Requester' }),
  )
  expect(response.statusCode).toBe(403)
  expect(response.body).toContain('Corp has not signed you in: Requester')
})

describe('metadata at an address', () => {
  async function serve() {
    const state = { metadata: '', requests: 0 }
    const http = createServer((_, response) => {
      state.requests++
      response.end(state.metadata)
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void http.close())
    return Object.assign(state, { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` })
  }

  test('are read at the first sign-in, and again when a signature does not match, once a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const served = await serve()
    const idp = { kind: 'metadata' as const, url: served.url, entityId: undefined }
    const [before, after] = [new SamlServer(), new SamlServer({ keys: KEYS.other })]
    const scene = await openSamlScene({ server: before, providers: [samlCorp(before, { idp }, NEW)] })
    const respond = async (server: SamlServer) => {
      server.user = MARY
      const id = await scene.leave(scene.visitor())
      return scene.post(await server.respond(await scene.metadataOf(), id))
    }
    served.metadata = before.metadata
    expect((await respond(before)).statusCode).toBe(303)
    served.metadata = after.metadata
    expect((await respond(after)).statusCode).toBe(400)
    expect(served.requests).toBe(1)
    vi.setSystemTime(Date.now() + 61_000)
    expect((await respond(after)).statusCode).toBe(303)
    expect((await respond(before)).statusCode).toBe(400)
    expect(served.requests).toBe(2)
  })

  test('that cannot be read make the provider unreachable, until they can', async () => {
    const served = await serve()
    const idp = { kind: 'metadata' as const, url: served.url, entityId: undefined }
    const server = new SamlServer()
    const scene = await openSamlScene({ server, providers: [samlCorp(server, { idp }, NEW)] })
    const browser = scene.visitor()
    await browser.get('/users/sign_in')
    const response = await browser.submit('/users/auth/corp')
    expect(response.statusCode).toBe(503)
    expect(response.body).toContain('Corp is not reachable at the moment.')
    served.metadata = server.metadata
    server.user = MARY
    expect((await scene.signIn(browser)).statusCode).toBe(303)
  })
})

describe('a user who is signed in', () => {
  async function open() {
    const scene = await openSamlScene()
    const mary = scene.visitor()
    await mary.signIn({ username: 'mary', password: PASSWORD })
    /** Sends the form of the page of sessions, and comes back from the provider. */
    const send = async (purpose: 'link' | 'confirm' | 'try', user: SamlUser, browser = mary) => {
      const authenticity_token = csrfTokenOf(browser.cookies.get('switchyard_session') ?? '')
      const page = await browser.post('/users/auth/corp', { purpose, authenticity_token })
      const request = await scene.server.readRequest(await scene.metadataOf(), addressIn(page))
      scene.server.user = user
      const arrived = await scene.post(await scene.server.respond(await scene.metadataOf(), request.id))
      return { request: request.xml, response: await browser.get(String(arrived.headers.location)) }
    }
    return { scene, mary, send }
  }

  test('links an identity, and confirms the session by signing in again', async () => {
    const { scene, send } = await open()
    const linked = await send('link', MARY)
    expect([linked.response.statusCode, linked.request]).toEqual([
      303,
      expect.not.stringContaining('ForceAuthn'),
    ])
    await scene.database.updateTable('web_session').set({ confirmed_at: null }).execute()
    const old = await send('confirm', { ...MARY, authenticatedAt: Date.now() - 3_600_000 })
    expect(old.request).toContain('ForceAuthn="true"')
    expect(old.response.body).toContain('Corp has not asked you again.')
    expect((await send('confirm', MARY)).response.statusCode).toBe(303)
    const { confirmed_at } = await scene.database
      .selectFrom('web_session')
      .select('confirmed_at')
      .executeTakeFirstOrThrow()
    expect(confirmed_at).not.toBeNull()
  })

  test('and administers the instance tries the provider', async () => {
    const { scene, send } = await open()
    const admin = scene.visitor()
    const session = await openBrowser(scene.database, scene.root)
    admin.cookies.set('switchyard_session', session.cookie)
    const list = await admin.get('/users/auth')
    expect(list.body).toContain(`<dt>Entity ID</dt><dd>${EXTERNAL_URL}/users/auth/corp/metadata</dd>`)
    const { response } = await send('try', MARY, admin)
    expect(response.body).toContain('A sign-in would create an account like mary.corp.')
    expect(response.body).toContain('<dt>groups</dt><dd>[&quot;devs&quot;,&quot;ops&quot;]</dd>')
    expect(await admin.name()).toBe('root')
  })
})

test('a logout request without a session ends all that the user has opened with the provider', async () => {
  const { scene, browser } = await arrive({})
  const message = scene.server.logout(await scene.metadataOf(), 'redirect', { nameId: 'mary-at-corp' })
  const sent = await scene.app.inject({ url: `/users/auth/corp/single_logout${new URL(message).search}` })
  expect(sent.statusCode).toBe(303)
  expect(await browser.name()).toBe(401)
  const wrongKind = await scene.app.inject({ method: 'POST', url: '/users/auth/corp/backchannel_logout' })
  expect(wrongKind.statusCode).toBe(400)
})
