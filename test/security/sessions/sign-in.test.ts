import { describe, expect, test } from 'vitest'

import { readReturnTo } from '../../../src/coordinator/sessions/return-to.js'
import { openSignInScene, PASSWORD } from '../../coordinator/sessions/scene.js'
import { openBrowser } from '../../coordinator/support/browser.js'
import { openForFile } from '../../support/lifetime.js'

// Attacks on the pages on which users sign in: putting a known session into a browser, signing a browser in to the
// account of the attacker, leading users elsewhere, and reading the cookie.

const BY_PASSWORD = { username: 'mary', password: PASSWORD }

const scene = openForFile(() => openSignInScene())

const linkPath = async () => {
  const { call, mary } = scene()
  const { url } = (await call(mary, 'POST /user/sign_in_links')).json<{ url: string }>()
  return new URL(url).pathname
}

describe('a cookie that an attacker has put into the browser', () => {
  test('is replaced at the sign-in, and identifies nobody', async () => {
    const { app, visitor } = scene()
    const victim = visitor()
    victim.cookies.set('switchyard_session', 'chosen-by-the-attacker')
    await victim.signIn(BY_PASSWORD)
    expect(victim.cookies.get('switchyard_session')).not.toBe('chosen-by-the-attacker')
    const headers = { cookie: 'switchyard_session=chosen-by-the-attacker' }
    expect((await app.inject({ url: '/api/v4/user', headers })).statusCode).toBe(401)
  })

  test('is replaced even if it is a session of the attacker, which ends', async () => {
    const { app, database, root, visitor } = scene()
    const planted = await openBrowser(database, root)
    const victim = visitor()
    await victim.get('/users/sign_in')
    victim.cookies.set('switchyard_session', planted.cookie)
    await victim.submit('/users/sign_in', BY_PASSWORD)
    expect(await victim.name()).toBe('mary')
    expect((await app.inject({ url: '/api/v4/user', headers: planted.headers })).statusCode).toBe(401)
  })

  test('each sign-in gets a cookie of its own', async () => {
    const cookies = []
    for (let count = 0; count < 3; count++) {
      const mary = scene().visitor()
      await mary.signIn(BY_PASSWORD)
      cookies.push(mary.cookies.get('switchyard_session') ?? '')
    }
    expect(new Set(cookies).size).toBe(3)
    for (const cookie of cookies) expect(cookie).toMatch(/^[\w-]{43}$/)
  })
})

describe('a page of another site that signs a browser in to the account of the attacker', () => {
  /** A form that the attacker has fetched for a browser of their own. */
  async function formOfAttacker(path: string) {
    const attacker = scene().visitor()
    const { body } = await attacker.get(path)
    return /name="authenticity_token" value="([^"]+)"/.exec(body)?.[1] ?? ''
  }

  test('is refused by the origin of its form', async () => {
    const { visitor } = scene()
    for (const path of ['/users/sign_in', await linkPath()]) {
      for (const [name, value] of [
        ['origin', 'https://attacker.example'],
        ['origin', 'null'],
        ['sec-fetch-site', 'cross-site'],
        ['sec-fetch-site', 'same-site'],
      ] as const) {
        const victim = visitor()
        await victim.get(path)
        const response = await victim.submit(path, BY_PASSWORD, { [name]: value })
        expect(response.statusCode).toBe(403)
        expect(response.headers['set-cookie']).toBeUndefined()
      }
    }
  })

  test('is refused without the cookie of the form, or with that of another browser', async () => {
    const { visitor } = scene()
    for (const path of ['/users/sign_in', await linkPath()]) {
      const authenticity_token = await formOfAttacker(path)
      const [fresh, other] = [visitor(), visitor()]
      await other.get('/users/sign_in')
      for (const victim of [fresh, other]) {
        const response = await victim.post(path, { ...BY_PASSWORD, authenticity_token })
        expect(response.statusCode).toBe(403)
        expect(await victim.name()).toBe(401)
      }
    }
  })

  test('is refused with a token that the instance has not made', async () => {
    const victim = scene().visitor()
    await victim.get('/users/sign_in')
    const sealed = Buffer.from('{"cookie":"x","until":9e15}').toString('base64url')
    for (const authenticity_token of ['', 'x', sealed]) {
      const response = await victim.submit('/users/sign_in', { ...BY_PASSWORD, authenticity_token })
      expect(response.statusCode).toBe(403)
    }
  })

  test('cannot send the form as JSON or as text', async () => {
    const { app, visitor } = scene()
    const victim = visitor()
    await victim.get('/users/sign_in')
    for (const type of ['application/json', 'text/plain']) {
      const response = await app.inject({
        method: 'POST',
        url: '/users/sign_in',
        headers: { ...victim.cookieHeader, 'content-type': type, origin: 'https://attacker.example' },
        payload: JSON.stringify(BY_PASSWORD),
      })
      expect([403, 415]).toContain(response.statusCode)
      expect(response.headers['set-cookie']).toBeUndefined()
    }
  })

  test('cannot sign a user out', async () => {
    const mary = scene().visitor()
    await mary.signIn(BY_PASSWORD)
    // A browser leaves the cookie out of a form of another site.
    const browser = scene().visitor()
    for (const visitor of [mary, browser]) {
      const response = await visitor.post('/users/sign_out', {}, { origin: 'https://attacker.example' })
      expect(response.statusCode).toBe(403)
      expect(response.headers['set-cookie']).toBeUndefined()
    }
    expect(await mary.name()).toBe('mary')
  })
})

/** What browsers, or careless readers of addresses, take for an address elsewhere. */
const ELSEWHERE = [
  'https://attacker.example',
  'http:attacker.example',
  '//attacker.example',
  '///attacker.example',
  '////attacker.example/%2e%2e',
  '/\\attacker.example',
  '\\\\attacker.example',
  '/\\/attacker.example',
  '/\t/attacker.example',
  '\t//attacker.example',
  '/\n/attacker.example',
  '/\r\n/attacker.example',
  ' //attacker.example',
  '/.//attacker.example',
  '/..//attacker.example',
  '/a/..//attacker.example',
  '/%2e//attacker.example',
  '/\u3002/\u2215attacker.example',
  '@attacker.example',
  '.attacker.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '',
]

describe('the page after the sign-in', () => {
  test.each(ELSEWHERE)('is never %j', async (returnTo) => {
    const mary = scene().visitor()
    const response = await mary.signIn(BY_PASSWORD, `?return_to=${encodeURIComponent(returnTo)}`)
    expect([response.statusCode, response.headers.location]).toEqual([303, '/'])
    const again = await mary.get(`/users/sign_in?return_to=${encodeURIComponent(returnTo)}`)
    expect(again.headers.location).toBe('/')
  })

  test.each(ELSEWHERE)('is not %j in the form, either', async (return_to) => {
    const mary = scene().visitor()
    await mary.get('/users/sign_in')
    const response = await mary.submit('/users/sign_in', { ...BY_PASSWORD, return_to })
    expect(response.headers.location).toBe('/')
  })

  test('is not an address of 2,001 characters', () => {
    expect(readReturnTo(`/${'a'.repeat(1999)}`)).toBeDefined()
    expect(readReturnTo(`/${'a'.repeat(2000)}`)).toBeUndefined()
  })

  test('is not given twice', async () => {
    const mary = scene().visitor()
    const response = await mary.signIn(BY_PASSWORD, '?return_to=/a&return_to[]=//attacker.example')
    expect(['/', '/a']).toContain(response.headers.location)
  })

  test.each([
    ['/', '/'],
    ['/a/b/-/jobs/1?x=%2F%2F#L10', '/a/b/-/jobs/1?x=%2F%2F#L10'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/a?return_to=https://b.example', '/a?return_to=https://b.example'],
    ['/%2F%2Fa', '/%2F%2Fa'],
  ])('%j is %j', (text, path) => {
    expect(readReturnTo(text)).toBe(path)
  })
})

describe('the cookie of a session', () => {
  test('is in no page and no response but the one that sets it', async () => {
    const { app, visitor } = scene()
    const mary = visitor()
    await mary.signIn(BY_PASSWORD)
    const cookie = mary.cookies.get('switchyard_session') ?? ''
    for (const url of [
      '/api/v4/user',
      '/api/v4/user/sessions',
      '/users/sign_in',
      '/api/v4/nothing',
      '/nothing',
    ]) {
      const response = await app.inject({
        url,
        headers: { ...mary.cookieHeader, origin: 'https://a.example' },
      })
      expect(response.body + JSON.stringify(response.headers)).not.toContain(cookie)
    }
  })

  test('is out of reach of scripts, other sites and, on HTTPS, of other hosts and plain connections', async () => {
    const plain = scene().visitor()
    await plain.signIn(BY_PASSWORD)
    for (const attributes of plain.attributes.values()) {
      expect(attributes).toBe('; Path=/; HttpOnly; SameSite=Lax')
    }
    const { visitor } = await openSignInScene({ externalUrl: 'https://ci.example.com' })
    const secure = visitor()
    await secure.signIn(BY_PASSWORD)
    expect([...secure.attributes.keys()].toSorted()).toEqual(['__Host-switchyard', '__Host-switchyard_form'])
    for (const attributes of secure.attributes.values()) {
      expect(attributes).toBe('; Path=/; HttpOnly; SameSite=Lax; Secure')
    }
  })
})

test('no page of signing in can be framed or run a script', async () => {
  const { visitor } = scene()
  const browser = visitor()
  const pages = [
    await browser.get('/users/sign_in'),
    await browser.get('/users/sign_in?tab=token'),
    await browser.get(await linkPath()),
    await browser.get('/users/sign_in/unknown'),
    await browser.post('/users/sign_in', {}),
    await browser.post('/users/sign_in', {}, { origin: 'https://attacker.example' }),
  ]
  for (const { body, headers } of pages) {
    expect(body).not.toMatch(/<script|\son\w+=|javascript:/i)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toContain('script-src')
  }
})

test('what a visitor typed is text on the page', async () => {
  const { database, mary, visitor } = await openSignInScene()
  const markup = '"><img src=x onerror=alert(1)>'
  const response = await visitor().signIn({ username: markup, password: 'wrong' })
  expect(response.body).not.toContain('<img')
  await database.updateTable('user').set({ name: markup }).where('id', '=', mary.id).execute()
  const path = `/users/sign_in?return_to=${encodeURIComponent(`/${markup.replaceAll(' ', '+')}`)}`
  expect((await visitor().get(path)).body).not.toContain('<img')
})
