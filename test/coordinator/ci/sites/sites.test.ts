import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { ZipArchive } from 'archiver'
import { expect, test } from 'vitest'

import type { Site } from '../../../../src/coordinator/ci/sites/schema.js'
import { signSite } from '../../../../src/coordinator/ci/sites/site-tickets.js'
import { HOUR } from '../../../../src/lib/time-units.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { openBrowser } from '../../support/browser.js'
import { setSettings } from '../../support/set-settings.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { openLogScene, startLog } from '../jobs/trace/running-job.js'

const scene = openForFile(openLogScene)

/** Ends a job with these files, whose site is then published. */
async function publish(ciFile: string, files: Record<string, string | Buffer>, state = 'success') {
  const { runner, coordinator } = scene()
  const { job, finish } = await startLog(scene(), ciFile)
  const zip = new ZipArchive()
  for (const [name, content] of Object.entries(files)) zip.append(content, { name })
  zip.symlink('public/link.txt', '../other/secret.txt')
  void zip.finalize()
  await runner.upload(job, await buffer(zip))
  await finish(state)
  await coordinator.publishSites()
  return job
}

function get(url: string, headers: Record<string, string> = {}) {
  return scene().coordinator.app.app.inject({ method: 'GET', url, headers })
}

const siteOf = async () => {
  const { app, project, admin } = scene().coordinator
  return (await app.call(admin, `GET /projects/${project.id}/pages`)).json<Site>()
}

/** The entries `pages:deploy` in the pipeline of a job. */
async function entriesOf({ id }: { id: number }) {
  const rows = await scene()
    .coordinator.database.selectFrom('commit_status')
    .innerJoin('job', 'job.pipeline_id', 'commit_status.pipeline_id')
    .select(['commit_status.status', 'commit_status.target_url', 'commit_status.description'])
    .where('job.id', '=', id)
    .where('commit_status.name', '=', 'pages:deploy')
    .execute()
  return rows.map(({ status, target_url: url, description }) => [status, url, description])
}

const setVisibility = (visibility: 'public' | 'private') => {
  const { database, project } = scene().coordinator
  return database
    .updateTable('project')
    .set({ visibility, pages_access_level: 'enabled' })
    .where('id', '=', project.id)
    .execute()
}

const base = () => `/-/pages/${scene().coordinator.project.full_path}/`

const SITE = {
  'public/index.html': 'home',
  'public/docs/index.html': 'docs',
  'public/app.js': 'plain',
  'public/app.js.br': brotliCompressSync('packed'),
  'public/app.js.gz': gzipSync('packed'),
  'public/404.html': 'lost',
  'other/secret.txt': 'not published',
}

test('a job publishes a folder of its artifacts when it succeeds, and nobody reads the rest', async () => {
  await setVisibility('public')
  await publish('pages: { script: [make] }', { 'public/index.html': 'failed' }, 'failed')
  expect((await get(base())).statusCode).toBe(404)
  const job = await publish('pages: { script: [make] }', SITE)
  const home = await get(base())
  expect([home.statusCode, home.body]).toEqual([200, 'home'])
  expect(home.headers['content-security-policy']).toMatch(/^sandbox /)
  expect(home.headers['content-security-policy']).not.toContain('allow-same-origin')
  expect(home.headers).not.toHaveProperty('set-cookie')
  const led = await get(`${base()}docs`)
  expect([led.statusCode, led.headers['location']]).toEqual([302, `${base()}docs/`])
  expect((await get(`${base()}docs/`)).body).toBe('docs')
  for (const path of ['none', 'link.txt', '..%2fother/secret.txt', '..%5cother/secret.txt', '/index.html']) {
    const lost = await get(base() + path)
    expect([lost.statusCode, lost.body.includes('not published')], path).toEqual([404, false])
  }
  expect((await get(`${base()}none`)).body).toBe('lost')
  const climbed = await get(`${base()}%2e%2e/%2e%2e/other/secret.txt`)
  expect(climbed.headers['location']).toBe('/users/sign_in?return_to=%2F-%2Fpages%2Fother%2Fsecret.txt')
  expect(await entriesOf(job)).toEqual([['success', EXTERNAL_URL + base(), null]])
  expect(await siteOf()).toMatchObject({
    url: EXTERNAL_URL + base(),
    deployments: [{ root_directory: 'public', path_prefix: null, expires_at: null, job_id: job.id }],
    failed: [],
  })
})

test('packed forms of files are sent to who accepts them, and files are not sent twice', async () => {
  await setVisibility('public')
  await publish('pages: { script: [make] }', SITE)
  const address = `${base()}app.js`
  const tags = new Set<unknown>()
  for (const [accepted, coding, body] of [
    ['gzip, br', 'br', SITE['public/app.js.br']],
    ['br;q=0, gzip', 'gzip', SITE['public/app.js.gz']],
    ['identity', undefined, Buffer.from('plain')],
  ] as const) {
    const file = await get(address, { 'accept-encoding': accepted })
    expect([file.headers['content-encoding'], file.headers['vary']]).toEqual([coding, 'Accept-Encoding'])
    expect(file.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(file.rawPayload).toEqual(body)
    tags.add(file.headers['etag'])
    const again = await get(address, {
      'accept-encoding': accepted,
      'if-none-match': String(file.headers['etag']),
    })
    expect(again.statusCode).toBe(304)
  }
  expect(tags.size).toBe(3)
  const part = await get(address, { 'accept-encoding': 'identity', range: 'bytes=1-2' })
  expect([part.statusCode, part.body]).toEqual([206, 'la'])
})

testAtNight('a site outlives the artifacts of its job, and is replaced and deleted', async () => {
  await setVisibility('public')
  const { app, project, admin, blobs } = scene().coordinator
  const keys = async () => {
    const found: string[] = []
    for await (const { key } of blobs.list(`projects/${project.id}/sites`)) found.push(key)
    return found
  }
  const job = await publish('pages: { script: [make] }', { 'public/index.html': 'first' })
  await app.call(admin, `DELETE /projects/${project.id}/jobs/${job.id}/artifacts`)
  expect((await get(base())).body).toBe('first')
  await publish('web: { script: [make], pages: { publish: out } }', { 'out/index.html': 'second' })
  expect((await get(base())).body).toBe('second')
  expect(await keys()).toHaveLength(1)
  const failed = await publish('web: { script: [make], pages: { publish: none } }', {
    'out/index.html': 'third',
  })
  expect((await get(base())).body).toBe('second')
  const problem = 'The artifacts have no folder "none".'
  expect(await entriesOf(failed)).toEqual([['failed', null, problem]])
  expect((await siteOf()).failed).toMatchObject([{ problem, job_id: failed.id }])
  expect((await app.call(admin, `DELETE /projects/${project.id}/pages`)).statusCode).toBe(204)
  expect((await get(base())).statusCode).toBe(404)
  expect(await keys()).toEqual([])
})

test('a site may not be larger than the instance allows', async () => {
  await setVisibility('public')
  const { coordinator } = scene()
  await setSettings(coordinator, { max_pages_size: 1 })
  const noise = randomBytes(1024 * 1024 + 1)
  const job = await publish('pages: { script: [make] }', { 'public/large.html': noise })
  expect((await siteOf()).failed[0]).toMatchObject({
    job_id: job.id,
    problem: expect.stringMatching(/^The artifacts have \d+ bytes, and a site may have 1048576\.$/) as string,
  })
  await setSettings(coordinator, { max_pages_size: 0 })
  await publish('pages: { script: [make] }', { 'public/large.html': noise })
  expect((await get(`${base()}large.html`)).rawPayload).toHaveLength(noise.length)
})

testAtNight('previews have a path of their own, and expire', async () => {
  await setVisibility('public')
  const { database } = scene().coordinator
  await publish('pages: { script: [make] }', { 'public/index.html': 'main' })
  const preview = 'pages: { path_prefix: "Mr $CI_COMMIT_BRANCH", expire_in: 2 hours }'
  await publish(`web: { script: [make], ${preview} }`, { 'public/index.html': 'preview' })
  expect((await get(base())).body).toBe('main')
  expect((await get(`${base()}mr-main/`)).body).toBe('preview')
  expect((await get(`${base()}mr-main`)).headers['location']).toBe(`${base()}mr-main/`)
  const { deployments } = await siteOf()
  const expiry = Date.parse(
    deployments.find(({ path_prefix }) => path_prefix === 'mr-main')?.expires_at ?? '',
  )
  expect(Math.abs(expiry - Date.now() - 2 * HOUR)).toBeLessThan(HOUR)
  await database
    .updateTable('site_deployment')
    .set({ expires_at: 1 })
    .where('path_prefix', '=', 'mr-main')
    .execute()
  expect((await get(`${base()}mr-main/`)).statusCode).toBe(404)
  await scene().coordinator.publishSites()
  const rows = await database.selectFrom('site_deployment').select('path_prefix').execute()
  expect(rows).toEqual([{ path_prefix: '' }])
})

test.each([
  ['disabled', 'public', { anonymous: 404, stranger: 404, member: 404 }],
  ['private', 'public', { anonymous: 404, stranger: 404, member: 200 }],
  ['enabled', 'public', { anonymous: 200, stranger: 200, member: 200 }],
  ['enabled', 'private', { anonymous: 404, stranger: 404, member: 200 }],
  ['public', 'private', { anonymous: 200, stranger: 200, member: 200 }],
] as const)(
  'a site that is %s in a %s project is read by those it is for',
  async (level, visibility, readers) => {
    const { reporter, stranger, coordinator } = scene()
    const { app, project, database } = coordinator
    await publish('pages: { script: [make] }', SITE)
    await database
      .updateTable('project')
      .set({ visibility, pages_access_level: level })
      .where('id', '=', project.id)
      .execute()
    /** Follows the addresses that a browser is led to, at the coordinator alone. */
    const statusFor = async (person?: { id: number }) => {
      const headers = person ? (await openBrowser(database, person)).headers : {}
      let response = await get(base(), headers)
      while (response.statusCode === 302) {
        const location = String(response.headers['location'])
        if (location.startsWith('/users/sign_in')) return 404
        response = await get(location.replace(EXTERNAL_URL, ''))
      }
      return response.statusCode
    }
    expect({
      anonymous: await statusFor(),
      stranger: await statusFor(stranger),
      member: await statusFor(reporter),
    }).toEqual(readers)
    const asked = await app.call(reporter, `GET /projects/${project.id}/pages_access`)
    expect(asked.statusCode).toBe(readers.member)
  },
)

test('a private site is for those who see the project, at an address of their own', async () => {
  const { reporter, stranger, coordinator } = scene()
  const { secrets, project, database } = coordinator
  await publish('pages: { script: [make] }', SITE)
  await setVisibility('private')
  const asBrowserOf = async (person: { id: number }) => (await openBrowser(database, person)).headers
  const signIn = await get(`${base()}docs/?a=1`)
  const back = encodeURIComponent(`${base()}docs/?a=1`)
  expect([signIn.statusCode, signIn.headers['location']]).toEqual([302, `/users/sign_in?return_to=${back}`])
  // What does not exist is no different.
  expect((await get('/-/pages/no/such/')).headers['location']).toMatch(/^\/users\/sign_in/)
  expect((await get(base(), await asBrowserOf(stranger))).statusCode).toBe(404)
  const led = await get(`${base()}docs/`, await asBrowserOf(reporter))
  const address = String(led.headers['location']).slice(EXTERNAL_URL.length)
  expect(address).toMatch(/^\/-\/pages\/~[\w-]+\/docs\/$/)
  expect((await get(address)).body).toBe('docs')
  expect((await get(new URL('../app.js', EXTERNAL_URL + address).pathname)).body).toBe('plain')
  const member = { access_level: 20, user_id: reporter.id, project_id: project.id, created_at: 1 }
  await database.deleteFrom('member').where('user_id', '=', reporter.id).execute()
  expect((await get(address)).statusCode).toBe(404)
  await database.insertInto('member').values(member).execute()
  expect((await get(address)).statusCode).toBe(200)
  const ticket = { projectId: project.id, userId: reporter.id }
  const old = await get(`/-/pages/${signSite(secrets, ticket, Date.now() - HOUR)}/docs/`)
  expect([old.statusCode, old.body.includes(`href="${EXTERNAL_URL}${base()}docs/"`)]).toEqual([410, true])
  expect((await get('/-/pages/~x/docs/')).statusCode).toBe(404)
})
