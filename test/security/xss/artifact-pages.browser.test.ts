import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { Service } from '../../conformance/support/service.js'
import { zipOf } from '../../coordinator/support/zip.js'
import { openPage } from '../../pages/support/browser.js'
import { openForFile } from '../../support/lifetime.js'

// The attack: a job leaves a page among its artifacts, and a user who is signed in opens it at the coordinator.

const PIXEL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"><rect width="7" height="5" fill="teal"/></svg>'

const ATTACK = `<!doctype html><title>report</title>
<link rel="stylesheet" href="style.css"><h1>Report</h1><a href="../next.html">Next</a>
<img id="pixel" src="pixel.svg">
<script type="module">
  import { answer } from '../lib/answer.mjs'
  const attempt = async (what) => {
    try { return String(await what()) } catch (error) { return error.name }
  }
  const framed = (src) => new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { src })
    frame.onload = () => resolve(attempt(() => frame.contentDocument?.body.textContent ?? 'nothing'))
    document.body.append(frame)
  })
  const opened = window.open('/users/sign_in')
  window.found = {
    answer,
    color: getComputedStyle(document.querySelector('h1')).color,
    origin: self.origin,
    cookie: await attempt(() => document.cookie),
    writes: await attempt(() => (document.cookie = 'switchyard_session=mine')),
    local: await attempt(() => localStorage.length),
    session: await attempt(() => sessionStorage.length),
    databases: await attempt(() => new Promise((resolve, reject) => {
      const asked = indexedDB.open('a')
      asked.onsuccess = () => resolve('open')
      asked.onerror = () => reject(asked.error)
    })),
    caches: await attempt(async () => (await caches.keys()).length),
    worker: await attempt(() => navigator.serviceWorker.register('worker.js')),
    user: await attempt(async () => (await fetch('/api/v4/user', { credentials: 'include' })).status),
    plain: await attempt(async () => (await fetch('/api/v4/user')).status),
    frame: await framed('/'),
    window: await attempt(() => opened.document.title),
  }
</script>`

const FILES = {
  'report/index.html': ATTACK,
  'report/style.css': 'h1 { color: rgb(0, 128, 128) }',
  'report/pixel.svg': PIXEL,
  'report/worker.js': 'self.onfetch = () => {}',
  'lib/answer.mjs': 'export const answer = 42',
  'next.html': '<title>next</title><h1>Next</h1>',
}

const scene = openForFile(async () => {
  const service = await Service.start()
  const runner = await service.addRunner()
  const victim = await service.addPerson('victim')
  const project = await service.addProject(
    { '.gitlab-ci.yml': 'build: { script: make, artifacts: { paths: [report] } }' },
    victim,
  )
  const job = await runner.takeJob()
  await runner.upload(job, await buffer(await zipOf(FILES)))
  await runner.update(job, 'success')
  return { service, victim, path: `/${project.path}/-/jobs/${job.id}/artifacts` }
})

test('a page of artifacts has its parts and links, and nothing of the session of who opens it', async () => {
  const { service, victim, path } = scene()
  const { page, context } = await openPage(service, `${path}/browse/report`, { as: victim })
  const before = await context.cookies()
  const [report] = await Promise.all([
    context.waitForEvent('page', (opened) => opened.url() !== `${service.url}/users/sign_in`),
    page.getByRole('link', { name: 'Open as page' }).click(),
  ])
  await report.waitForURL(/\/-\/artifacts\/.+\/report\/$/)
  await report.waitForFunction('globalThis.found !== undefined')
  expect(await report.evaluate('found')).toEqual({
    answer: 42,
    color: 'rgb(0, 128, 128)',
    origin: 'null',
    cookie: 'SecurityError',
    writes: 'SecurityError',
    local: 'SecurityError',
    session: 'SecurityError',
    databases: 'SecurityError',
    caches: expect.stringMatching(/^(SecurityError|ReferenceError)$/) as string,
    worker: expect.stringMatching(/^(SecurityError|TypeError)$/) as string,
    user: 'TypeError',
    plain: '401',
    frame: expect.stringMatching(/^(nothing|SecurityError)$/) as string,
    window: expect.stringMatching(/^(SecurityError|TypeError)$/) as string,
  })
  expect(await context.cookies()).toEqual(before)
})

test('a page of artifacts opens from its name in the list, and its links lead on', async () => {
  const { service, victim, path } = scene()
  const { page, context } = await openPage(service, `${path}/browse`, { as: victim })
  const [next] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'next.html', exact: true }).click(),
  ])
  await next.getByRole('heading', { name: 'Next' }).waitFor()
  await page.getByRole('link', { name: 'Source of next.html' }).click()
  await page.getByText('<title>next</title>').waitFor()
})
