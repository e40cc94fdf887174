import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { openLogScene, startLog } from '../ci/jobs/trace/running-job.js'
import { openBrowser } from '../support/browser.js'
import { EXTERNAL_URL } from '../support/test-app.js'
import { zipOf } from '../support/zip.js'

const ARTIFACTS = 'http://artifacts.example'
const scene = openForFile(() => openLogScene({ artifactsUrl: ARTIFACTS }))

function get(host: string, url: string, headers: Record<string, string> = {}) {
  return scene().coordinator.app.app.inject({ method: 'GET', url, headers: { host, ...headers } })
}

test('with a host of their own, artifacts are served there alone, and nothing else is', async () => {
  const { coordinator, runner, reporter } = scene()
  const { job, finish } = await startLog(scene())
  await runner.upload(job, await buffer(await zipOf({ 'index.html': 'page' })))
  await finish()
  const { app, project } = coordinator
  const asked = await app.call(reporter, `POST /projects/${project.id}/jobs/${job.id}/artifacts/view`)
  const { url } = asked.json<{ url: string }>()
  expect(url.startsWith(`${ARTIFACTS}/-/artifacts/`)).toBe(true)
  const path = url.slice(ARTIFACTS.length)
  const statuses = async (host: string, ...paths: string[]) =>
    Promise.all(
      paths.map(async (each) => (await get(host, each, { 'private-token': reporter.token })).statusCode),
    )
  const ours = new URL(EXTERNAL_URL).host
  const jobs = `/api/v4/projects/${project.id}/jobs`
  const others = [jobs, '/users/sign_in', '/metrics', '/api/openapi.json']
  expect(await statuses(ours, path, ...others)).toEqual([404, 200, 200, 200, 200])
  for (const host of ['artifacts.example', 'ARTIFACTS.example', 'artifacts.example:80']) {
    expect(await statuses(host, path, '/-/health'), host).toEqual([200, 200])
    expect(await statuses(host, ...others), host).toEqual(others.map(() => 404))
  }
  // Whatever a client says about another host, each of them serves its own part alone.
  for (const host of [
    'artifacts.example.',
    'artifacts.example:81',
    'x.artifacts.example',
    'artifacts.example@a',
    '[',
  ])
    expect(await statuses(host, path), host).toEqual([404])
  const forwarded = { 'x-forwarded-host': 'artifacts.example' }
  expect((await get(ours, path, forwarded)).statusCode).toBe(404)
  expect((await get('artifacts.example', `http://${ours}${jobs}`)).statusCode).toBe(404)
})

testAtNight(
  'sites are at the host of artifacts, which has no session, and each host leads to the other',
  async () => {
    const { coordinator, runner, reporter } = scene()
    const { job, finish } = await startLog(scene(), 'pages: { script: [make] }')
    await runner.upload(job, await buffer(await zipOf({ 'public/index.html': 'home' })))
    await finish()
    await coordinator.publishSites()
    const { database, project } = coordinator
    const site = `/-/pages/${project.full_path}/`
    const ours = new URL(EXTERNAL_URL).host
    const there = new URL(ARTIFACTS).host
    const { headers } = await openBrowser(database, reporter)
    const locationOf = async (host: string, path: string) =>
      (await get(host, path, headers)).headers['location']
    // A private one: with the cookie, which browsers send to the coordinator alone.
    expect(await locationOf(there, `${site}?a=1`)).toBe(`${EXTERNAL_URL}${site}?a=1`)
    const led = String(await locationOf(ours, site))
    expect(led.startsWith(`${ARTIFACTS}/-/pages/~`)).toBe(true)
    const private_ = led.slice(ARTIFACTS.length)
    expect([(await get(there, private_)).body, (await get(ours, private_)).statusCode]).toEqual(['home', 404])
    await database.updateTable('project').set({ visibility: 'public' }).where('id', '=', project.id).execute()
    expect((await get(there, site)).body).toBe('home')
    expect(await locationOf(ours, site)).toBe(ARTIFACTS + site)
    // No address leads to a third host.
    for (const path of [
      '//evil.example/',
      '/-/pages//evil.example/',
      '/-/pages/%2f%2fevil.example/',
      '/-/pages/a/b@evil.example',
    ])
      for (const host of [ours, there]) {
        const location = await locationOf(host, path)
        if (location === undefined) continue
        expect([EXTERNAL_URL, ARTIFACTS]).toContain(new URL(location, `http://${host}`).origin)
      }
  },
)
