import { deflateRawSync } from 'node:zlib'

import { beforeEach, describe, expect, test } from 'vitest'

import { csrfTokenOf } from '../../../src/coordinator/http/authentication/csrf.js'
import { readXml } from '../../../src/coordinator/sessions/providers/saml/xml-elements.js'
import { KEYS } from '../../coordinator/sessions/providers/saml/keys.js'
import {
  type ResponseFacts,
  RSA_SHA1,
  RSA_SHA256,
  SamlServer,
} from '../../coordinator/sessions/providers/saml/saml-server.js'
import { openSamlScene, samlCorp } from '../../coordinator/sessions/providers/saml/scene.js'
import { addressIn } from '../../coordinator/sessions/providers/scene.js'
import type { Visitor } from '../../coordinator/sessions/scene.js'
import { openBrowser } from '../../coordinator/support/browser.js'
import { EXTERNAL_URL } from '../../coordinator/support/test-app.js'
import { openForFile } from '../../support/lifetime.js'
import {
  asAttacked,
  ASSERTION_WRAPPINGS,
  ATTACKED,
  byCertificate,
  byKey,
  ENTITY_BOMB,
  type Forge,
  RESPONSE_WRAPPINGS,
  signAgain,
  withEntity,
  withoutSignature,
} from './saml-forgeries.js'

// Attacks on the sign-in by SAML: forged and wrapped signatures, responses for somebody else or of somebody else, and
// messages that would cost too much to read.

const HOUR = 3_600_000

const OTHER_ID = 'https://other.example/saml'
const otherServer = new SamlServer({ entityId: OTHER_ID, keys: KEYS.other })

const scene = openForFile(async () => {
  const server = new SamlServer()
  const { signOnUrl, logoutUrl } = otherServer
  const otherFacts = { entityId: OTHER_ID, signOnUrl, logoutUrl, certificates: [KEYS.other.certificate] }
  const providers = [
    samlCorp(server),
    samlCorp(server, { name: 'strict', isResponseSigned: true }),
    samlCorp(otherServer, { name: 'other', idp: { kind: 'fixed', facts: otherFacts } }),
  ]
  const opened = await openSamlScene({ server, providers })
  const link = (id: number, provider: string, extern_uid: string) =>
    opened.call(opened.root, `PUT /users/${id}`, { provider, extern_uid })
  await link(opened.mary.id, 'corp', 'mary-at-corp')
  await link(opened.mary.id, 'strict', 'mary-at-corp')
  await link(opened.mary.id, 'other', 'mary-at-corp')
  await link(opened.root.id, 'corp', ATTACKED)
  return opened
})

beforeEach(() => {
  scene().server.user = { nameId: 'mary-at-corp' }
})

const encode = (xml: string) => Buffer.from(xml).toString('base64')
const decode = (message: string) => Buffer.from(message, 'base64').toString()

interface Attempt {
  changes?: Partial<ResponseFacts>
  forge?: Forge
  server?: SamlServer
  name?: 'corp' | 'strict' | 'other'
}

/** Signs a visitor in with a response that is changed on its way. */
async function signIn({ changes = {}, forge = (xml) => xml, server, name = 'corp' }: Attempt = {}) {
  const { visitor, leave, metadataOf, post } = scene()
  const browser = visitor()
  const id = await leave(browser, '', name)
  const message = await (server ?? scene().server).respond(await metadataOf(name), id, changes)
  const sent = forge(decode(message))
  const arrived = await post(encode(sent), name)
  const response = arrived.statusCode === 303 ? await browser.get(String(arrived.headers.location)) : arrived
  return { browser, sent, response, status: response.statusCode, name: await browser.name() }
}

async function expectRefusal(attempt: Attempt): Promise<void> {
  const { status, name, response } = await signIn(attempt)
  expect([status, name]).toEqual([400, 401])
  expect(response.body).toContain('The response of Corp is not valid.')
}

describe('a right response signs in', () => {
  test('with a signed assertion', async () => {
    expect(await signIn()).toMatchObject({ status: 303, name: 'mary' })
  })

  test('with a signed response too, if it has to be', async () => {
    const server = new SamlServer({ signsMessages: true })
    expect(await signIn({ server, name: 'strict' })).toMatchObject({ status: 303, name: 'mary' })
    expect(await signIn({ name: 'strict' })).toMatchObject({ status: 400, name: 401 })
  })

  test('with a signature that the test has made', async () => {
    // The positive case of the forged algorithms.
    const forge: Forge = (xml) => signAgain(xml, RSA_SHA256, byKey('RSA-SHA256'))
    expect(await signIn({ forge })).toMatchObject({ status: 303, name: 'mary' })
  })
})

describe('a signature', () => {
  const signing = new SamlServer({ signsMessages: true })
  const impostor = new SamlServer({ keys: KEYS.other })
  const HMAC = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
  const HMAC_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'

  test.each<[string, Attempt]>([
    ['that is missing', { forge: withoutSignature }],
    ['that is only about the response', { server: signing, forge: unsignAssertion }],
    ['about another user', { forge: asAttacked }],
    ['with the key of another one, which the message brings along', { server: impostor }],
    ['with SHA-1', { server: new SamlServer({ algorithm: RSA_SHA1 }) }],
    [
      'with SHA-1 over a digest with SHA-256',
      { forge: (xml) => signAgain(xml, RSA_SHA1, byKey('RSA-SHA1')) },
    ],
    [
      'with the certificate as a secret',
      { forge: (xml) => signAgain(asAttacked(xml), HMAC, byCertificate('sha1')) },
    ],
    [
      'with the certificate as a secret and SHA-256',
      { forge: (xml) => signAgain(asAttacked(xml), HMAC_SHA256, byCertificate('sha256')) },
    ],
  ])('%s signs nobody in', async (_, attempt) => {
    await expectRefusal(attempt)
  })

  const wrappings = [
    ...Object.entries(RESPONSE_WRAPPINGS).map(([name, forge]) => [name, forge, signing] as const),
    ...Object.entries(ASSERTION_WRAPPINGS).map(([name, forge]) => [name, forge, undefined] as const),
  ]
  test.each(wrappings)('does not vouch for %s', async (_, forge, server) => {
    const { status, name, sent } = await signIn({ forge, ...(server && { server }) })
    // What is refused is the wrapping: the message itself can be read.
    expect(readXml(sent).name).toBe('Response')
    expect([status, name]).toEqual([400, 401])
  })

  test('does not end at a comment in the ID of the user', async () => {
    scene().server.user = { nameId: `${ATTACKED}.attacker.example` }
    const forge: Forge = (xml) => xml.replace(`${ATTACKED}.`, `${ATTACKED}<!-- -->.`)
    const { status, name } = await signIn({ forge })
    expect([status, name]).toEqual([403, 401])
  })
})

function unsignAssertion(xml: string): string {
  return xml.replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, withoutSignature)
}

describe('a response', () => {
  test.each<[string, Partial<ResponseFacts>]>([
    ['of another issuer', { issuer: OTHER_ID }],
    ['for another audience', { audience: 'https://app.example/saml' }],
    ['for another recipient', { recipient: 'https://app.example/acs' }],
    ['for another destination', { destination: 'https://app.example/acs' }],
    ['for the address of another provider', { recipient: `${EXTERNAL_URL}/users/auth/other/callback` }],
    ['that has expired', { notBefore: Date.now() - 2 * HOUR, notOnOrAfter: Date.now() - HOUR }],
    ['of the future', { notBefore: Date.now() + HOUR, notOnOrAfter: Date.now() + 2 * HOUR }],
  ])('%s signs nobody in', async (_, changes) => {
    await expectRefusal({ changes })
  })

  test('of one provider is refused at the address of another one', async () => {
    const { visitor, leave, metadataOf, post } = scene()
    const browser = visitor()
    const id = await leave(browser, '', 'other')
    const ofOther = await otherServer.respond(await metadataOf('other'), id)
    expect((await post(ofOther, 'corp')).statusCode).toBe(400)
    const arrived = await post(ofOther, 'other')
    const location = String(arrived.headers.location).replace('/other/', '/corp/')
    expect((await browser.get(location)).statusCode).toBe(400)
    const victim = visitor()
    const own = await leave(victim)
    const proof = /proof=.*/.exec(location)?.[0]
    expect((await victim.get(`/users/auth/corp/callback?state=${own}&${proof}`)).statusCode).toBe(400)
    expect([await browser.name(), await victim.name()]).toEqual([401, 401])
  })

  test('is accepted once, and so is what it proves', async () => {
    const { visitor, leave, metadataOf, post, server } = scene()
    const browser = visitor()
    const message = await server.respond(await metadataOf(), await leave(browser))
    const arrived = await post(message)
    const again = await post(message)
    expect([again.statusCode, again.headers.location]).toEqual([400, undefined])
    const cookies = new Map(browser.cookies)
    expect((await browser.get(String(arrived.headers.location))).statusCode).toBe(303)
    const thief = visitor()
    for (const [name, value] of cookies) thief.cookies.set(name, value)
    expect((await thief.get(String(arrived.headers.location))).statusCode).toBe(400)
    expect(await thief.name()).toBe(401)
  })

  test('that another browser began signs nobody in', async () => {
    const { visitor, leave, metadataOf, post, server } = scene()
    const responseFor = async (browser: Visitor) =>
      String((await post(await server.respond(await metadataOf(), await leave(browser)))).headers.location)
    const callback = await responseFor(visitor())
    const [fresh, busy] = [visitor(), visitor()]
    const own = await leave(busy)
    const mixed = (await responseFor(visitor())).replace(/state=[^&]+/, `state=${own}`)
    for (const [victim, url] of [
      [fresh, callback],
      [busy, callback],
      [busy, mixed],
    ] as const) {
      expect((await victim.get(url)).statusCode).toBe(400)
      expect(await victim.name()).toBe(401)
    }
  })

  test('without a request signs nobody in, and says where to begin', async () => {
    const { metadataOf, post, server } = scene()
    const unsolicited = await post(await server.respond(await metadataOf(), undefined))
    expect(unsolicited.statusCode).toBe(403)
    expect(unsolicited.body).toContain('Sign-ins with Corp begin here')
    expect(unsolicited.body).toContain('href="/users/sign_in?auto=0"')
  })

  test('with a RelayState leads nowhere else', async () => {
    const { visitor, leave, metadataOf, post, server } = scene()
    const browser = visitor()
    const message = await server.respond(await metadataOf(), await leave(browser))
    const arrived = await post(message, 'corp', { RelayState: 'https://attacker.example/' })
    expect(arrived.headers.location).toMatch(/^\/users\/auth\/corp\/callback\?state=\w+&proof=[\w-]+$/)
    expect((await browser.get(String(arrived.headers.location))).headers.location).toBe('/')
  })

  test.each<[string, Forge]>([
    ['with an entity of a file', withEntity('<!ENTITY entity SYSTEM "file:///etc/passwd">')],
    ['with an entity of an address', withEntity('<!ENTITY entity SYSTEM "http://attacker.example/">')],
    ['with entities that grow', withEntity(ENTITY_BOMB)],
    ['with a document type', (xml) => `<!DOCTYPE samlp:Response>${xml}`],
    ['with a style sheet', (xml) => `<?xml-stylesheet href="http://attacker.example/"?>${xml}`],
    ['with thousands of elements inside one another', (xml) => `${'<a>'.repeat(9000)}${xml}`],
    ['that is no XML', () => 'x'],
    ['that is empty', () => ''],
  ])('%s is not read', async (_, forge) => {
    await expectRefusal({ forge })
  })

  test('of more than 256 KiB is not read', async () => {
    expect((await scene().post('x'.repeat(300 * 1024))).statusCode).toBe(413)
  })
})

test('what a provider says is text on the page that tries it, and in a refusal', async () => {
  const { database, root, visitor, post, metadataOf, server } = scene()
  const HOSTILE = `"'><img src=x onerror=ran()><script>ran()</script>`
  const admin = visitor()
  const { cookie } = await openBrowser(database, root)
  admin.cookies.set('switchyard_session', cookie)
  const begun = await admin.post('/users/auth/corp', {
    purpose: 'try',
    authenticity_token: csrfTokenOf(cookie),
  })
  const { id } = await server.readRequest(await metadataOf(), addressIn(begun))
  const attributes = {
    username: HOSTILE,
    name: HOSTILE,
    email: HOSTILE,
    groups: [HOSTILE, 'devs'],
    [HOSTILE]: HOSTILE,
  }
  server.user = { nameId: HOSTILE, sessionIndex: 'one', context: 'urn:x', attributes }
  const arrived = await post(await server.respond(await metadataOf(), id))
  const tried = await admin.get(String(arrived.headers.location))
  const refused = await post(
    await server.respond(await metadataOf(), '_request', {
      status: 'Requester&lt;img src=x onerror=ran()&gt;',
    }),
  )
  expect([tried.statusCode, refused.statusCode]).toEqual([200, 403])
  for (const { body, headers } of [tried, refused]) {
    expect(body).toContain('&lt;img src=x onerror=ran()&gt;')
    expect(body).not.toMatch(/<img|<script/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
  }
})

describe('a logout request', () => {
  const send = (message: string, binding: 'redirect' | 'post') =>
    binding === 'redirect'
      ? scene().app.inject({ url: `/users/auth/corp/single_logout${new URL(message).search}` })
      : scene().app.inject({
          method: 'POST',
          url: '/users/auth/corp/single_logout',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
          payload: new URLSearchParams({ SAMLRequest: message, RelayState: 'of the provider' }).toString(),
        })

  const make = async (binding: 'redirect' | 'post', change?: Forge, server = scene().server) =>
    server.logout(
      await scene().metadataOf(),
      binding,
      { nameId: 'mary-at-corp', sessionIndex: 'one' },
      change,
    )

  test.each(['redirect', 'post'] as const)(
    'by %s ends the session of its sign-in, and no other',
    async (binding) => {
      const { server } = scene()
      server.user = { nameId: 'mary-at-corp', sessionIndex: 'one' }
      const one = await signIn()
      server.user = { nameId: 'mary-at-corp', sessionIndex: 'two' }
      const two = await signIn()
      const message = await make(binding)
      const response = await send(message, binding)
      expect(response.statusCode).toBe(303)
      const location = new URL(String(response.headers.location))
      expect(location.origin + location.pathname).toBe(server.logoutUrl)
      expect(location.searchParams.get('RelayState')).toBe('of the provider')
      expect(location.searchParams.has('SAMLResponse')).toBe(true)
      expect([await one.browser.name(), await two.browser.name()]).toEqual([401, 'mary'])
      expect((await send(message, binding)).statusCode).toBe(400)
    },
  )

  test('that is not right ends nothing', async () => {
    const { server } = scene()
    server.user = { nameId: 'mary-at-corp', sessionIndex: 'one' }
    const { browser } = await signIn()
    const old = (xml: string) =>
      xml.replace(/IssueInstant="[^"]+"/, 'IssueInstant="2024-01-01T00:00:00.000Z"')
    const elsewhere = (xml: string) =>
      xml.replace(/Destination="[^"]+"/, 'Destination="https://app.example/"')
    const right = await make('redirect')
    const url = (change: (query: URLSearchParams) => void) => {
      const changed = new URL(right)
      change(changed.searchParams)
      return changed.href
    }
    const bomb = deflateRawSync(Buffer.alloc(20_000_000, ' ')).toString('base64')
    const queries = [
      url((query) => query.delete('Signature')),
      url((query) => query.set('SigAlg', RSA_SHA1)),
      url((query) => query.set('RelayState', 'another')),
      url((query) => query.append('SAMLRequest', query.get('SAMLRequest') ?? '')),
      url((query) => query.set('SAMLRequest', bomb)),
      right.replace('SAMLRequest=', 'SAML%52equest='),
      await make('redirect', undefined, otherServer),
      await make('redirect', undefined, new SamlServer({ keys: KEYS.other })),
      await make('redirect', undefined, new SamlServer({ algorithm: RSA_SHA1 })),
      await make('redirect', old),
      await make('redirect', elsewhere),
    ]
    const form = await make('post')
    const forms = [
      encode(withoutSignature(decode(form))),
      encode(decode(form).replace('>one<', '>two<')),
      encode(signAgain(decode(form), RSA_SHA1, byKey('RSA-SHA1'))),
      await make('post', undefined, new SamlServer({ keys: KEYS.other })),
      await make('post', old),
      '',
    ]
    for (const query of queries) expect((await send(query, 'redirect')).statusCode).toBe(400)
    for (const each of forms) expect((await send(each, 'post')).statusCode).toBe(400)
    expect(await browser.name()).toBe('mary')
    expect((await send(right, 'redirect')).statusCode).toBe(303)
    expect(await browser.name()).toBe(401)
  })
})
