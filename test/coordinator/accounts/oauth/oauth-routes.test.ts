import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import { CSRF_PARAMETER, csrfTokenOf } from '../../../../src/coordinator/http/authentication/csrf.js'
import { HOSTILE_TEXTS, type HostileText } from '../../../security/support/hostile-values.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openBrowser } from '../../support/browser.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'
import { BACK, openOauthApp, shown } from './oauth-app.js'
import { OAUTH_ROUTES, type OauthRoute, tokensOf } from './oauth-routes.js'

// The routes of OAuth are no operations of the API, so its tables of roles and of hostile values do not have them.

const scene = sceneForFile(async (open) => {
  const app = await openOauthApp(open)
  const scopes = ['openid', 'read_user']
  const site = { name: 'Site', redirect_uri: BACK, scopes, confidential: true }
  return Object.assign(app, { site: await createApplication(app.database, site) })
})
type Scene = Awaited<ReturnType<typeof scene>>

interface Call {
  params: Record<string, unknown>
  headers: Record<string, string>
}

/** A call that the route accepts. */
async function acceptedCall(app: Scene, route: OauthRoute): Promise<Call> {
  const params = await route.params(app)
  switch (route.for) {
    case 'anybody':
      return { params, headers: {} }
    case 'client':
      return { params: { ...params, ...shown(app.desk) }, headers: {} }
    case 'token': {
      const { access_token } = await tokensOf(app, app.site, ['openid'])
      return { params: { ...params, access_token }, headers: {} }
    }
    case 'user': {
      const { headers, cookie } = await openBrowser(app.database, app.mary)
      const page = { ...headers, origin: EXTERNAL_URL, 'sec-fetch-site': 'same-origin' }
      return { params: { ...params, [CSRF_PARAMETER]: csrfTokenOf(cookie) }, headers: page }
    }
  }
}

/** The call without what shows who calls. */
function withoutCredentials({ for: caller }: OauthRoute, { params }: Call): Call {
  const ofClient = caller === 'client' ? ['client_id', 'client_secret'] : []
  const hidden = [CSRF_PARAMETER, 'access_token', ...ofClient]
  const shown = Object.entries(params).filter(([name]) => !hidden.includes(name))
  return { params: Object.fromEntries(shown), headers: {} }
}

const TABLES = ['oauth_grant', 'oauth_token', 'oauth_device_request', 'web_session'] as const

/** Number of rows of each table that the routes change. */
async function countRows({ database }: Scene): Promise<string[]> {
  const counts: string[] = []
  for (const table of [...TABLES, 'oauth_application'] as const)
    counts.push(`${table} ${(await database.selectFrom(table).select('id').execute()).length}`)
  return counts
}

let calls = 0

/** Sends a request from an address of its own, since some routes count the requests of an address. */
async function send(
  { app }: Scene,
  { route, encoding }: OauthRoute,
  { params, headers }: Call,
  hostile?: [name: string, value: string],
): Promise<LightMyRequestResponse> {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string]
  const remoteAddress = `10.0.${calls >> 8}.${calls++ & 255}`
  if (encoding === 'json') {
    const [name, value] = hostile ?? []
    const shaped = name !== undefined && Array.isArray(params[name]) ? [value] : value
    const payload = { ...params, ...(name !== undefined && { [name]: shaped }) }
    return app.inject({ method, url: path, remoteAddress, headers, payload })
  }
  const plain = Object.entries(params).filter(([name]) => name !== hostile?.[0])
  const pairs = plain.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const text = [...pairs, ...(hostile ? [`${hostile[0]}=${hostile[1]}`] : [])].join('&')
  if (encoding === 'query') return app.inject({ method, url: `${path}?${text}`, remoteAddress, headers })
  const contentType = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject({
    method,
    url: path,
    remoteAddress,
    headers: { ...headers, ...contentType },
    payload: text,
  })
}

test('every route of OAuth is in the table', async () => {
  const { app } = openTestApp(await openTestServices(), { operations: () => [] })
  await app.ready()
  const path: string[] = []
  const routes = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name = '', methods = ''] =
        /^([│ ]*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line) ?? []
      path.splice(indent.length / 4, path.length, name)
      return methods.split(', ').map((method) => `${method} ${path.join('')}`)
    })
  const ofOauth = routes.filter((route) => /^(GET|POST|PUT|DELETE|PATCH) \/oauth\//.test(route))
  expect(ofOauth.toSorted()).toEqual(OAUTH_ROUTES.map(({ route }) => route).toSorted())
})

const TEXTS_PER_PARAMETER = 8

/** Texts for a parameter; the next one gets the texts after these. */
function textsFor(index: number): HostileText[] {
  const start = index * TEXTS_PER_PARAMETER
  return Array.from(
    { length: TEXTS_PER_PARAMETER },
    (_, at) => HOSTILE_TEXTS[(start + at) % HOSTILE_TEXTS.length],
  ).filter((text) => text !== undefined)
}

describe.each(OAUTH_ROUTES)('$route', (route) => {
  const [accepted, stranger] = route.statuses

  test(`serves its callers alone: ${route.for}`, async () => {
    const app = await scene()
    const call = await acceptedCall(app, route)
    if (route.for !== 'anybody') {
      const before = await countRows(app)
      const refused = await send(app, route, withoutCredentials(route, call))
      expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([stranger, undefined])
      expect(refused.headers.location ?? '').not.toContain('code=')
      expect(await countRows(app)).toEqual(before)
    }
    expect((await send(app, route, call)).statusCode).toBe(accepted)
  })
})

const WITH_PARAMETERS = OAUTH_ROUTES.filter(({ route }) => route !== 'GET /oauth/discovery/keys')

describe.each(WITH_PARAMETERS)('$route', (route) => {
  test('withstands hostile values of its parameters, sends nobody elsewhere, and changes nothing that it refuses', async () => {
    const app = await scene()
    const call = await acceptedCall(app, route)
    const complaints: string[] = []
    let before = await countRows(app)
    for (const [index, name] of Object.keys(call.params).entries()) {
      for (const { title, text, encoded } of textsFor(index + OAUTH_ROUTES.indexOf(route))) {
        const value = route.encoding === 'json' ? text : encoded
        if (value === undefined) continue
        const { statusCode, headers, body } = await send(app, route, call, [name, value])
        const what = `${name} with ${title}: ${statusCode} ${body.slice(0, 200)}`
        if (statusCode >= 500) complaints.push(what)
        if (headers.location !== undefined && !isKnown(headers.location))
          complaints.push(`${what} ${headers.location}`)
        const after = await countRows(app)
        if (statusCode >= 400 && after.join() !== before.join()) complaints.push(`${what} changes something`)
        before = after
      }
    }
    expect(Object.keys(call.params)).not.toEqual([])
    expect(complaints).toEqual([])
  })
})

/** Whether an address is one of the coordinator, or registered by the application. */
function isKnown(location: string): boolean {
  return /^\/(?!\/)/.test(location) || new URL(location).origin === new URL(BACK).origin
}

test.each([
  ['redirect_uris', 'invalid_redirect_uri'],
  ['grant_types', 'invalid_client_metadata'],
  ['response_types', 'invalid_client_metadata'],
])('a registration with a long list of %s is refused before its values are checked', async (name, error) => {
  const { app } = await scene()
  const payload = { redirect_uris: [BACK], [name]: Array.from({ length: 20_000 }, () => ({})) }
  const refused = await app.inject({ method: 'POST', url: '/oauth/register', payload })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { error, error_description: `${name} must have at most 20 values.` },
  ])
})
