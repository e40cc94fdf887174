import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import {
  namespaceAt,
  type SiteOrigins,
  siteUrl,
} from '../../../../src/coordinator/ci/site-addresses/site-origins.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { openBrowser } from '../../support/browser.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { zipOf } from '../../support/zip.js'
import { openLogScene, startLog } from '../jobs/trace/running-job.js'

const DOMAIN = 'pages.test'
const HOST = `group.${DOMAIN}`
const scene = openForFile(() => openLogScene({ pagesDomain: DOMAIN }))

function get(host: string, url: string, headers: Record<string, string> = {}) {
  return scene().coordinator.app.app.inject({ method: 'GET', url, headers: { host, ...headers } })
}

/** A project with a site, at `group/app` unless another path is given. */
async function publish(visibility: 'public' | 'private', path = 'app') {
  const { coordinator, runner } = scene()
  const { database, project } = coordinator
  const values = { visibility, path, full_path: `group/${path}` }
  await database.updateTable('project').set(values).where('id', '=', project.id).execute()
  const { job, finish } = await startLog(scene(), 'pages: { script: [make] }')
  const files = { 'public/index.html': 'home', 'public/docs/index.html': 'docs', 'public/a.js': 'code' }
  await runner.upload(job, await buffer(await zipOf(files)))
  await finish()
  await coordinator.publishSites()
}

const ORIGINS: SiteOrigins = {
  artifactsUrl: 'https://ci.example',
  pagesUrl: 'https://pages.example:8443',
}

test.each([
  ['group/app', '', 'https://group.pages.example:8443/app/'],
  ['Group/Sub/App', 'mr-1', 'https://group.pages.example:8443/Sub/App/mr-1/'],
  ['group/group.pages.example', '', 'https://group.pages.example:8443/'],
  ['Group/Group.Pages.Example', 'x', 'https://group.pages.example:8443/x/'],
  // Neither a name with a dot nor one of over 63 letters is a part of a host name.
  ['a.b/app', '', 'https://ci.example/-/pages/a.b/app/'],
  [`${'a'.repeat(64)}/app`, '', `https://ci.example/-/pages/${'a'.repeat(64)}/app/`],
])('the site of %s with the prefix "%s" is at %s', (project, prefix, expected) => {
  expect(siteUrl(ORIGINS, project, prefix)).toBe(expected)
})

test.each([
  ['group.pages.example:8443', 'group'],
  ['GROUP.pages.EXAMPLE:8443', 'group'],
  ['pages.example:8443', undefined],
  ['group.pages.example', undefined],
  ['a.b.pages.example:8443', undefined],
  ['xpages.example:8443', undefined],
  ['group.pages.example:8443.evil.example', undefined],
  ['group.pages.example:8443@evil.example', undefined],
  ['[', undefined],
  ['', undefined],
])('the namespace at the host %s is %s', (host, expected) => {
  expect(namespaceAt('https://pages.example:8443', host)).toBe(expected)
})

test('a public site is at the host of its namespace, with scripts and storage of its own', async () => {
  await publish('public')
  const { app, project, admin } = scene().coordinator
  const home = await get(HOST, '/app/')
  expect([home.statusCode, home.body]).toEqual([200, 'home'])
  expect(home.headers).not.toHaveProperty('content-security-policy')
  expect(home.headers).not.toHaveProperty('x-frame-options')
  expect(home.headers['x-content-type-options']).toBe('nosniff')
  expect((await get(HOST, '/app')).headers['location']).toBe('/app/')
  expect((await get(HOST, '/app/docs')).headers['location']).toBe('/app/docs/')
  expect((await get(HOST, '/app/docs/')).body).toBe('docs')
  expect((await get(HOST, '/app/none')).statusCode).toBe(404)
  const named = await get(new URL(EXTERNAL_URL).host, '/-/pages/group/app/docs/?a=1')
  expect(named.headers['location']).toBe(`http://${HOST}/app/docs/?a=1`)
  const site = await app.call(admin, `GET /projects/${project.id}/pages`)
  expect(site.json<{ url: string }>().url).toBe(`http://${HOST}/app/`)
})

testAtNight('the project that is named like the host is at its root', async () => {
  await publish('public', HOST)
  expect((await get(HOST, '/')).body).toBe('home')
  expect((await get(HOST, '/docs')).headers['location']).toBe('/docs/')
  expect((await get(HOST, '/a.js')).body).toBe('code')
})

testAtNight('a site that is not for everybody is led through the coordinator into the sandbox', async () => {
  await publish('private')
  const { database } = scene().coordinator
  const led = await get(HOST, '/app/docs/?a=1')
  expect(led.headers['location']).toBe(`${EXTERNAL_URL}/-/pages/group/app/docs/?a=1`)
  const path = String(led.headers['location']).slice(EXTERNAL_URL.length)
  const { headers } = await openBrowser(database, scene().reporter)
  const signed = await get(new URL(EXTERNAL_URL).host, path, headers)
  const address = String(signed.headers['location'])
  expect(address.startsWith(`${EXTERNAL_URL}/-/pages/~`)).toBe(true)
  const file = await get(new URL(EXTERNAL_URL).host, address.slice(EXTERNAL_URL.length))
  expect([file.body, file.headers['content-security-policy']]).toEqual([
    'docs',
    expect.stringMatching(/^sandbox /),
  ])
  // Its token is not valid at the host of a namespace, where it would run without a sandbox.
  expect((await get(HOST, address.slice(EXTERNAL_URL.length))).body).not.toBe('docs')
})

test('no host of sites serves the coordinator, and none serves the sites of another namespace', async () => {
  await publish('public')
  const { coordinator, reporter } = scene()
  const { project, database } = coordinator
  const { headers } = await openBrowser(database, reporter)
  const signedIn = { ...headers, 'private-token': reporter.token }
  for (const host of [DOMAIN, HOST, `other.${DOMAIN}`, `a.b.${DOMAIN}`, `${HOST}:80`, HOST.toUpperCase()]) {
    for (const path of [
      `/api/v4/projects/${project.id}`,
      '/users/sign_in',
      '/metrics',
      '/group/app',
      '//group/app/',
    ]) {
      const { statusCode, body } = await get(host, path, signedIn)
      expect([302, 404], `${host}${path}`).toContain(statusCode)
      expect(body).not.toContain('home')
    }
  }
  for (const path of [
    '/../group/app/',
    '/%2e%2e/group/app/',
    '/app/%2e%2e/%2e%2e/group/app/',
    '/group/app/',
  ]) {
    expect((await get(`other.${DOMAIN}`, path)).body, path).not.toBe('home')
  }
  expect((await get(HOST, '/app/', { 'service-worker': 'script' })).statusCode).toBe(404)
})
