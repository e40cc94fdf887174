import { describe, expect, test } from 'vitest'

import type { Operation } from '../../../src/coordinator/http/operation.js'
import { isOfRunners } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { listOperations } from '../../../src/coordinator/start/operations/operations.js'
import { type Browser, callAs, openBrowser } from '../../coordinator/support/browser.js'
import { addPerson } from '../../coordinator/support/test-app.js'
import { openTestApp, openTestServices } from '../../coordinator/support/test-coordinator.js'
import { openForFile } from '../../support/lifetime.js'

// What the cookie of a session must not open: it is for pages and for the API that they use.

const scene = openForFile(async () => {
  const services = await openTestServices({ settings: { metricsAddresses: ['10.1.2.3'] } })
  const { database } = services
  let operations: Operation[] = []
  const { app } = openTestApp(services, {
    operations: (...deps) => (operations = listOperations(...deps)),
  })
  const root = await addPerson(database, 'root', { admin: true, scopes: ['api', 'sudo'] })
  const browser = await openBrowser(database, root)
  const created = await callAs(app, browser, 'POST /projects', { name: 'app' })
  expect(created.statusCode).toBe(201)
  return { app, database, operations, root, browser }
})

describe.each(['git-upload-pack', 'git-receive-pack'])('git (%s)', (service) => {
  const url = `/root/app.git/info/refs?service=${service}`

  test('asks for credentials, whatever the cookie is', async () => {
    const { app, browser } = scene()
    const response = await app.inject({ url, headers: browser.changing })
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toContain('Basic')
  })

  test('does not take the cookie as a password', async () => {
    const { app, root, browser } = scene()
    const statusOf = async (password: string) => {
      const basic = Buffer.from(`root:${password}`).toString('base64')
      return (await app.inject({ url, headers: { authorization: `Basic ${basic}` } })).statusCode
    }
    expect(await statusOf(browser.cookie)).toBe(401)
    expect(await statusOf(root.token)).toBe(200)
  })
})

test('the cookie shows pictures of private projects, and an ended one those of public projects', async () => {
  const { app, database, root, browser } = scene()
  await callAs(app, browser, 'POST /projects', { name: 'open', visibility: 'public' })
  const ended = await openBrowser(database, root)
  await database.deleteFrom('web_session').where('id', '=', ended.sessionId).execute()
  const statusOf = async (project: string, headers: Record<string, string>) =>
    (await app.inject({ url: `/root/${project}/badges/main/pipeline.svg`, headers })).statusCode
  expect([await statusOf('app', browser.headers), await statusOf('app', {})]).toEqual([200, 404])
  expect([await statusOf('app', ended.headers), await statusOf('open', ended.headers)]).toEqual([404, 200])
})

test('the cookie is no token', async () => {
  const { app, browser } = scene()
  const headers: Record<string, string>[] = [
    { 'private-token': browser.cookie },
    { authorization: `Bearer ${browser.cookie}` },
    { 'job-token': browser.cookie },
  ]
  for (const each of headers) {
    expect((await app.inject({ url: '/api/v4/user', headers: each })).statusCode).toBe(401)
  }
  for (const name of ['private_token', 'access_token', 'job_token', 'switchyard_session']) {
    const { statusCode } = await app.inject(`/api/v4/user?${name}=${browser.cookie}`)
    expect(statusCode).toBe(401)
  }
})

test('operations of runners respond as without the cookie', async () => {
  const { app, operations, browser } = scene()
  const ofRunners = operations.filter(isOfRunners)
  expect(ofRunners.length).toBeGreaterThan(10)
  for (const { method, path } of ofRunners) {
    const url = `/api/v4${path.replaceAll(/:\w+/g, '1')}`
    const responseTo = async (headers: Browser['headers'] | undefined) => {
      const response = await app.inject({ method, url, ...(headers && { headers }) })
      return [response.statusCode, response.body]
    }
    expect(await responseTo(browser.changing), `${method} ${path}`).toEqual(await responseTo(undefined))
  }
})

test('the cookie of an administrator does not open the metrics', async () => {
  const { app, browser } = scene()
  expect((await app.inject({ url: '/metrics', headers: browser.headers })).statusCode).toBe(403)
})

test('the cookie of an administrator does not act as another user', async () => {
  const { app, browser } = scene()
  for (const request of [
    { url: '/api/v4/user?sudo=root', headers: browser.headers },
    { url: '/api/v4/user', headers: { ...browser.headers, sudo: 'root' } },
  ]) {
    const response = await app.inject(request)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' })
  }
})
