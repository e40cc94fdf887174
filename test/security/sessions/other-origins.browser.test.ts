import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { Service } from '../../conformance/support/service.js'
import { openPage } from '../../pages/support/browser.js'
import { onFinished, openForFile } from '../../support/lifetime.js'

// The attack: a user who is signed in opens a page of another origin. The service is at 127.0.0.1. To a browser, another
// port of that host is the same site and gets the cookie with its requests, and `localhost` is another site.

const PASSWORD = 'a password of the attacker'

const scene = openForFile(async () => {
  const service = await Service.start()
  const victim = await service.addPerson('victim')
  const attacker = await service.addPerson('attacker')
  await service.json('PUT', `/users/${attacker.id}`, { password: PASSWORD, skip_reconfirmation: true })
  const project = await service.addProject({ 'README.md': '# Private\n' }, victim)
  const port = await listenForAttacks()
  return { service, victim, project, port }
})

/** Serves an empty page at every address. Resolves to its port. */
async function listenForAttacks(): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>attacker</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A browser in which the victim is signed in, on a page of the attacker. */
async function openAttack(host: string, as = scene().victim) {
  const { service, port } = scene()
  const opened = await openPage(service, '/robots.txt', { as })
  await opened.page.goto(`http://${host}:${port}/`)
  // The browser reports each attack that it prevents.
  onFinished(() => (opened.problems.length = 0))
  return opened
}

/** What the victim has, which no attack may change. */
async function stateOf() {
  const { service, victim } = scene()
  const as = { as: victim }
  const read = async (path: string) => (await service.fetch('GET', path, as)).json()
  return {
    user: await read('/user'),
    keys: await read('/user/keys'),
    projects: await read('/projects?owned=true&simple=true'),
  }
}

/** Sends a form of the page of the attacker, and resolves to the status of the page that it leads to. */
async function submit(
  page: Page,
  action: string,
  fields: Record<string, string>,
  type = '',
): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url() === action && each.request().method() === 'POST'),
    page.waitForURL(action),
    page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'POST', action: ${JSON.stringify(action)} })
      form.enctype = ${JSON.stringify(type)}
      for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
        form.append(Object.assign(document.createElement('input'), { name, value }))
      document.body.append(form)
      form.submit()
    })()`),
  ])
  return response.status()
}

describe.each([
  ['of the same site', '127.0.0.1'],
  ['of another site', 'localhost'],
])('a page of an origin %s', (_title, host) => {
  test('reads nothing with the cookie of a user: no response, stream, socket, script, frame or window', async () => {
    const { service, project } = scene()
    const { page } = await openAttack(host)
    const found = await page.evaluate(`(async () => {
      const at = ${JSON.stringify(service.url)}
      const path = ${JSON.stringify(project.path)}
      const include = { credentials: 'include' }
      const first = (target, ...names) => new Promise((resolve) => {
        for (const name of names) target.addEventListener(name, () => resolve(name), { once: true })
      })
      const add = (name, attributes) => {
        const element = Object.assign(document.createElement(name), attributes)
        document.body.append(element)
        return element
      }
      const read = (promise) => promise.then((response) => response.text(), (error) => error.name)
      const opened = window.open(at + '/' + path)
      const seen = {
        api: await read(fetch(at + '/api/v4/user', include)),
        page: await read(fetch(at + '/' + path, include)),
        raw: await read(fetch(at + '/' + path + '/-/raw/main/README.md', include)),
        opaque: await read(fetch(at + '/api/v4/user', { ...include, mode: 'no-cors' })),
        stream: await read(fetch(at + '/api/v4/live?topics=own', include)),
        events: await first(new EventSource(at + '/api/v4/live?topics=own', { withCredentials: true }), 'open', 'message', 'error'),
        socket: await first(new WebSocket(at.replace('http', 'ws') + '/api/v4/live?topics=own'), 'open', 'message', 'error'),
        script: await first(add('script', { src: at + '/api/v4/user' }), 'load', 'error'),
        style: await first(add('link', { rel: 'stylesheet', href: at + '/' + path + '/-/raw/main/README.md' }), 'load', 'error'),
        image: await first(add('img', { src: at + '/' + path + '/-/raw/main/README.md' }), 'load', 'error'),
      }
      try {
        seen.window = opened.document.body.textContent
      } catch (error) {
        seen.window = error.name
      }
      return seen
    })()`)
    expect(found).toEqual({
      api: 'TypeError',
      page: 'TypeError',
      raw: 'TypeError',
      opaque: expect.stringMatching(/^(TypeError|)$/) as string,
      stream: 'TypeError',
      events: 'error',
      socket: 'error',
      script: 'error',
      style: 'error',
      image: 'error',
      window: expect.stringMatching(/^(SecurityError|TypeError|)$/) as string,
    })
  })

  test('shows no page of the instance in a frame', async () => {
    const { service, project } = scene()
    const { page } = await openAttack(host)
    for (const path of ['/', `/${project.path}`, '/users/sign_in', '/api/v4/user', '/api/docs']) {
      await page.evaluate(`new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(service.url + path)}, onload: resolve })
        document.body.replaceChildren(frame)
      })`)
      const shown = () =>
        page
          .frames()
          .filter((frame) => frame !== page.mainFrame())
          .map((frame) => frame.url())
      await expect.poll(shown, { message: path }).toEqual(['chrome-error://chromewebdata/'])
    }
  })

  test('changes nothing with the cookie of a user, by scripts', async () => {
    const { service, victim } = scene()
    const before = await stateOf()
    const { page } = await openAttack(host)
    const outcomes = await page.evaluate<string[]>(`(async () => {
      const at = ${JSON.stringify(service.url)}
      const json = JSON.stringify({ name: 'by the attacker' })
      const send = (method, path, init = {}) =>
        fetch(at + path, { method, credentials: 'include', body: json, ...init }).then(({ type }) => type, (error) => error.name)
      const type = (value) => ({ headers: { 'content-type': value } })
      navigator.sendBeacon(at + '/users/sign_out')
      return [
        await send('POST', '/api/v4/projects', { mode: 'no-cors', ...type('text/plain') }),
        await send('POST', '/api/v4/projects', { mode: 'no-cors', ...type('application/x-www-form-urlencoded'), body: 'name=by-the-attacker' }),
        await send('POST', '/api/v4/projects', { mode: 'no-cors', body: new Blob([json]) }),
        await send('POST', '/api/v4/projects', type('application/json')),
        await send('PUT', '/api/v4/user/status', type('application/json')),
        await send('DELETE', '/api/v4/user/sessions', { body: undefined }),
        await send('POST', '/api/v4/projects', { headers: { 'x-csrf-token': 'x' } }),
      ]
    })()`)
    // With the cookie, the browser refuses even an opaque response.
    for (const outcome of outcomes) expect(['opaque', 'TypeError']).toContain(outcome)
    expect(await stateOf()).toEqual(before)
    await page.goto(`${service.url}/${victim.username}`)
    await page.getByRole('heading', { level: 1, name: victim.username }).waitFor()
  })

  test('changes nothing with the cookie of a user, and signs nobody in or out, by forms', async () => {
    const { service, victim, port } = scene()
    const before = await stateOf()
    const { page, context } = await openAttack(host)
    const cookies = await context.cookies(service.url)
    const forms: [string, Record<string, string>, string?][] = [
      ['/api/v4/projects', { name: 'by-the-attacker' }],
      ['/api/v4/projects', { name: 'by-the-attacker' }, 'multipart/form-data'],
      ['/api/v4/projects', { '{"name":"by-the-attacker","x":"': '"}' }, 'text/plain'],
      ['/users/sign_out', {}],
      ['/users/sign_in', { username: 'attacker', password: PASSWORD }],
      ['/oauth/authorize', { client_id: '1', decision: 'allow' }],
    ]
    for (const [path, fields, type] of forms) {
      expect(await submit(page, service.url + path, fields, type), path).toBeGreaterThanOrEqual(400)
      await page.goto(`http://${host}:${port}/`)
    }
    expect(await stateOf()).toEqual(before)
    const session = ({ name }: { name: string }) => name === 'switchyard_session'
    expect((await context.cookies(service.url)).filter(session)).toEqual(cookies.filter(session))
    await page.goto(`${service.url}/${victim.username}`)
    await page.getByRole('heading', { level: 1, name: victim.username }).waitFor()
  })
})

test('the page after the sign-in is one of the instance to a browser, whatever the address says', async () => {
  const { service, victim, port } = scene()
  const { page } = await openPage(service, '/robots.txt', { as: victim })
  const host = `localhost:${port}/`
  for (const place of [`//${host}`, `/\\${host}`, `/\t/${host}`, `/a/..//${host}`, `http:${host}`]) {
    await page.goto(`${service.url}/users/sign_in?return_to=${encodeURIComponent(place)}`, {
      waitUntil: 'commit',
    })
    expect(page.url(), place).toBe(`${service.url}/`)
  }
})

test('a request for another protocol is served as one of HTTP, and the connection does not stay open', async () => {
  const { service, victim } = scene()
  const cookie = `switchyard_session=${await service.openSession(victim)}`
  for (const path of ['/', '/api/v4/user', '/api/v4/nothing']) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        cookie,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
      }
      const sent = request(service.url + path, { headers }, (response) => {
        response.resume().once('close', () => resolve(response.statusCode))
      })
      sent.once('upgrade', () => reject(new Error('The coordinator has changed the protocol')))
      sent.once('error', reject).end()
    })
    expect(status, path).toBeGreaterThanOrEqual(200)
  }
})
