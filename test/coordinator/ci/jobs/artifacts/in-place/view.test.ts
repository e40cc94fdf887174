import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import {
  signView,
  VIEW_PREFIX,
} from '../../../../../../src/coordinator/ci/jobs/artifacts/in-place/view-address.js'
import { sealToken } from '../../../../../../src/coordinator/crypto/sealed-token.js'
import { HOUR } from '../../../../../../src/lib/time-units.js'
import { openForFile } from '../../../../../support/lifetime.js'
import { EXTERNAL_URL, type Person } from '../../../../support/test-app.js'
import { zipOf } from '../../../../support/zip.js'
import { openLogScene, startLog } from '../../trace/running-job.js'

const scene = openForFile(openLogScene)

const FILES = {
  'index.html': '<h1>All</h1>',
  'report/index.html': '<link rel="stylesheet" href="style.css"><script src="../app.mjs"></script>',
  'report/style.css': 'h1 { color: teal }',
  'app.mjs': 'export const answer = 42',
  'fonts/a.woff2': 'wOF2',
  'data.json': '{}',
  'core.bin': 'ELF',
  'a b%.txt': 'text',
}

async function startArchive(ciFile?: string) {
  const { runner } = scene()
  const { job, finish } = await startLog(scene(), ciFile)
  await runner.upload(job, await buffer(await zipOf(FILES)))
  await finish()
  return job
}

function ask(as: Person | undefined, jobId: number, path?: string) {
  const { app, project } = scene().coordinator
  return app.call(
    as,
    `POST /projects/${project.id}/jobs/${jobId}/artifacts/view`,
    path === undefined ? {} : { path },
  )
}

/** The path of a signed address. */
async function viewed(as: Person, jobId: number, path?: string): Promise<string> {
  const { url } = (await ask(as, jobId, path)).json<{ url: string }>()
  expect(url.startsWith(EXTERNAL_URL + VIEW_PREFIX)).toBe(true)
  return url.slice(EXTERNAL_URL.length)
}

function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return scene().coordinator.app.app.inject({ method, url, headers })
}

test('files of a job are shown in place, with their relative links and types', async () => {
  const { reporter } = scene()
  const job = await startArchive()
  const response = await ask(reporter, job.id, 'report')
  expect(response.statusCode).toBe(201)
  const { url, expires_at } = response.json<{ url: string; expires_at: string }>()
  expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(HOUR)
  const base = url.slice(EXTERNAL_URL.length)
  expect(base.endsWith('/report/')).toBe(true)
  const types: Record<string, string> = {
    '': 'text/html; charset=utf-8',
    'style.css': 'text/css; charset=utf-8',
    '../app.mjs': 'text/javascript; charset=utf-8',
    '../data.json': 'application/json; charset=utf-8',
    '../fonts/a.woff2': 'font/woff2',
    '../core.bin': 'application/octet-stream',
    '../a%20b%25.txt': 'text/plain; charset=utf-8',
    '../': 'text/html; charset=utf-8',
  }
  for (const [path, type] of Object.entries(types)) {
    const { pathname } = new URL(base + path, EXTERNAL_URL)
    const file = await get(pathname)
    expect([file.statusCode, file.headers['content-type']], path).toEqual([200, type])
  }
})

test('what is served has an origin of its own, no cookie, and is stored by the browser alone', async () => {
  const { reporter } = scene()
  const base = await viewed(reporter, (await startArchive()).id)
  const { headers } = await get(base, { cookie: 'switchyard_session=abc', origin: 'null' })
  expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts allow-forms /)
  expect(headers['content-security-policy']).not.toContain('allow-same-origin')
  expect(headers['content-security-policy']).not.toContain('allow-top-navigation')
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  })
  expect(headers).not.toHaveProperty('set-cookie')
  expect(headers).not.toHaveProperty('x-frame-options')
  expect(headers).not.toHaveProperty('access-control-allow-credentials')
  expect((await get(`${base}app.mjs`, { 'service-worker': 'script' })).statusCode).toBe(403)
})

test('browsers read ranges, and files that they have not once more', async () => {
  const { reporter } = scene()
  const base = await viewed(reporter, (await startArchive()).id)
  const part = await get(`${base}report/style.css`, { range: 'bytes=0-1' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'h1', 'bytes 0-1/18'])
  const same = await get(`${base}report/style.css`, { 'if-none-match': String(part.headers['etag']) })
  expect([same.statusCode, same.body]).toEqual([304, ''])
  const head = await get(`${base}report/style.css`, {}, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '18', ''])
  expect((await get(`${base}report/style.css`, { range: 'bytes=99-' })).statusCode).toBe(416)
})

test('addresses of folders end with a slash', async () => {
  const { reporter } = scene()
  const base = await viewed(reporter, (await startArchive()).id)
  const token = base.slice(0, -1)
  for (const [from, to] of [
    [token, base],
    [`${base}report`, `${base}report/`],
  ] as const) {
    const led = await get(from)
    expect([led.statusCode, led.headers['location']]).toEqual([302, to])
  }
})

test('only those who may read the artifacts get an address', async () => {
  const { reporter, developer, stranger } = scene()
  const { id } = await startArchive(
    'build: { script: [make], artifacts: { paths: [dist], access: developer } }',
  )
  expect((await ask(developer, id)).statusCode).toBe(201)
  expect((await ask(reporter, id)).statusCode).toBe(403)
  for (const as of [stranger, undefined]) expect((await ask(as, id)).statusCode).toBe(as ? 404 : 401)
  for (const path of ['none', 'fonts', 'fonts/', '../x', '/', 'a//b'])
    expect((await ask(developer, id, path)).statusCode, path).toBe(404)
})

test('what was allowed is checked again at each read', async () => {
  const { reporter, developer, coordinator } = scene()
  const { database, project } = coordinator
  const { id } = await startArchive(
    'build: { script: [make], artifacts: { paths: [dist], access: developer } }',
  )
  const base = await viewed(developer, id)
  const member = () =>
    database.updateTable('member').where('user_id', '=', developer.id).where('project_id', '=', project.id)
  const statusIs = async (status: number, text: string) => {
    const response = await get(base)
    expect([response.statusCode, response.body.includes(text)]).toEqual([status, true])
    if (status !== 200) expect(response.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  }
  await statusIs(200, 'All')
  await member().set({ access_level: 20 }).execute()
  await statusIs(403, 'These artifacts are not for you')
  await member().set({ access_level: 30 }).execute()
  const setState = (state: 'active' | 'blocked') =>
    database.updateTable('user').set({ state }).where('id', '=', developer.id).execute()
  await setState('blocked')
  await statusIs(403, 'These artifacts are not for you')
  await setState('active')
  await statusIs(200, 'All')
  await database.updateTable('job_artifact').set({ blob_key: '' }).where('job_id', '=', id).execute()
  await statusIs(410, 'These artifacts are gone')
  expect((await ask(developer, id)).statusCode).toBe(404)
  expect((await ask(reporter, id)).statusCode).toBe(403)
})

test('an address is valid for an hour, and then leads to a new one', async () => {
  const { reporter, coordinator } = scene()
  const { secrets, project } = coordinator
  const { id } = await startArchive()
  const at = Date.now() - HOUR
  const old = signView({ secrets, artifactsUrl: '' }, { jobId: id, userId: reporter.id, path: 'report/' }, at)
  const response = await get(old.url)
  expect(response.statusCode).toBe(410)
  const again = `/${project.full_path}/-/jobs/${id}/artifacts/open/report/`
  expect(response.body).toContain(`href="${EXTERNAL_URL}${again}"`)
  const led = await get(again, { 'private-token': reporter.token })
  expect(led.statusCode).toBe(302)
  expect((await get(String(led.headers['location']).slice(EXTERNAL_URL.length))).statusCode).toBe(200)
})

test('nothing else is an address', async () => {
  const { reporter, coordinator } = scene()
  const job = await startArchive()
  const base = await viewed(reporter, job.id)
  const changed = base.replace(/.(?=\/$)/, (last) => (last === 'A' ? 'B' : 'A'))
  const other = sealToken(coordinator.secrets, {
    use: 'unsubscribe',
    job: job.id,
    user: null,
    until: Date.now() + HOUR,
  })
  const paths = [
    `${VIEW_PREFIX}x/`,
    changed,
    `${VIEW_PREFIX}${other}/`,
    `${base}..%2f..%2fdata.json`,
    `${base}%2e%2e/%2e%2e/%2e%2e/etc/passwd`,
    `${base}report/..%5cdata.json`,
    `${base}none.html`,
    `${base}fonts/`,
    `${base}data.json/`,
  ]
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(404)
})

test('a link of the pages leads a browser to the file, and others to where they may go', async () => {
  const { reporter, stranger, coordinator } = scene()
  const { id } = await startArchive()
  const link = (path: string) => `/${coordinator.project.full_path}/-/jobs/${id}/artifacts/open${path}`
  const as = { 'private-token': reporter.token }
  const led = await get(link('/a%20b%25.txt'), as)
  expect([led.statusCode, led.headers['cache-control']]).toEqual([302, 'no-store'])
  expect(String(led.headers['location'])).toMatch(/\/a%20b%25\.txt$/)
  expect((await get(link(''), as)).statusCode).toBe(302)
  expect((await get(link('/none'), as)).statusCode).toBe(404)
  expect((await get(link('/'), { 'private-token': stranger.token })).statusCode).toBe(404)
})
