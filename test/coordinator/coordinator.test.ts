import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { Agent, get as httpGet, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { type Coordinator, startCoordinator } from '../../src/coordinator/coordinator.js'
import type { CoordinatorSecrets, CoordinatorSettings } from '../../src/coordinator/start/config/settings.js'
import { readCoordinatorSettings } from '../../src/coordinator/start/config/settings.js'
import { deferred } from '../../src/lib/deferred.js'
import { createLogger } from '../../src/lib/logger.js'
import { copyMigratedStore } from '../support/databases.js'
import { gitOk, workTree } from '../support/git-client.js'
import { onFinished, openForFile } from '../support/lifetime.js'
import { testAtNight } from '../support/nightly.js'
import { tempDir } from '../support/temp-dir.js'
import { webServer } from './egress/web-server.js'

async function settingsIn(dataDir: string, more: object = {}): Promise<CoordinatorSettings> {
  return readCoordinatorSettings(
    { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: dataDir, ...more },
    {},
  )
}

async function start(dataDir: string, secrets?: CoordinatorSecrets, more?: object): Promise<Coordinator> {
  const logger = createLogger('test', 'silent')
  const coordinator = await startCoordinator(await settingsIn(dataDir, more), logger, secrets)
  onFinished(() => coordinator.stop())
  return coordinator
}

/** A data folder like that of an earlier start, which has applied all migrations. */
async function migratedDir(): Promise<string> {
  const dataDir = await tempDir()
  await copyMigratedStore(dataDir)
  return dataDir
}

async function get(coordinator: Coordinator, path: string, token?: string): Promise<Response> {
  return fetch(`${coordinator.url}${path}`, { headers: token ? { 'private-token': token } : {} })
}

/** A coordinator for tests that neither stop it nor change what others read. */
const running = openForFile(async () => start(await migratedDir(), { adminToken: 'chosen' }))

test('the first start makes an administrator, whose token is in a file that only the owner reads', async () => {
  const dataDir = await tempDir()
  const coordinator = await start(dataDir)
  const path = join(dataDir, 'admin-token')
  expect(coordinator.adminTokenFile).toBe(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const token = (await readFile(path, 'utf8')).trim()
  const response = await get(coordinator, '/api/v4/user', token)
  expect(await response.json()).toMatchObject({ username: 'root', is_admin: true })
})

testAtNight(
  'coordinators with data folders of their own share another one; a start with another key is refused',
  async () => {
    const [dataDir, sharedDir] = [await migratedDir(), await tempDir()]
    const first = await start(dataDir, { adminToken: 'chosen' }, { shared_dir: sharedDir })
    await first.stop()
    expect(await readdir(sharedDir)).toContain('secret.key')
    expect(await readdir(dataDir)).not.toContain('secret.key')
    const registrationToken = 'chosen-too'
    await expect(start(dataDir, { registrationToken })).rejects.toThrow(/encrypted with another secret\.key/)
    const again = await start(dataDir, { registrationToken }, { shared_dir: sharedDir })
    expect((await get(again, '/api/v4/user', 'chosen')).status).toBe(200)
  },
)

test('a chosen token of the administrator is not written anywhere', async () => {
  const dataDir = await migratedDir()
  const coordinator = await start(dataDir, { adminToken: 'chosen-by-the-operator' })
  expect(coordinator.adminTokenFile).toBeUndefined()
  await expect(readFile(join(dataDir, 'admin-token'))).rejects.toThrow('ENOENT')
  expect((await get(coordinator, '/api/v4/user', 'chosen-by-the-operator')).status).toBe(200)
})

testAtNight('a second start keeps the administrator and both tokens', async () => {
  const dataDir = await migratedDir()
  const first = await start(dataDir)
  const tokens = await Promise.all(
    ['admin-token', 'runner-registration-token'].map((name) => read(dataDir, name)),
  )
  await first.stop()
  const second = await start(dataDir)
  expect(second.adminTokenFile).toBeUndefined()
  expect(
    await Promise.all(['admin-token', 'runner-registration-token'].map((name) => read(dataDir, name))),
  ).toEqual(tokens)
  expect((await get(second, '/api/v4/user', tokens[0])).status).toBe(200)
})

test('the registration token in the file registers a runner', async () => {
  const dataDir = await migratedDir()
  const coordinator = await start(dataDir, { registrationToken: 'chosen-registration' })
  expect(await read(dataDir, 'runner-registration-token')).toBe('chosen-registration')
  const response = await fetch(`${coordinator.url}/api/v4/runners`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: 'chosen-registration', description: 'one' }),
  })
  expect(response.status).toBe(201)
})

test('a badge of a public project is seen by anyone, beside git at the same addresses', async () => {
  const coordinator = running()
  const created = await fetch(`${coordinator.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': 'chosen' },
    body: JSON.stringify({ name: 'shown', visibility: 'public' }),
  })
  expect([created.status, await created.json()]).toMatchObject([201, { visibility: 'public' }])
  const badge = await get(coordinator, '/root/shown/badges/main/pipeline.svg')
  expect([badge.status, badge.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await badge.text()).toContain('unknown')
  const hidden = await get(coordinator, '/root/hidden/badges/main/pipeline.svg')
  expect([hidden.status, await hidden.json()]).toEqual([404, { error: '404 Not Found' }])
  const refs = await get(coordinator, '/root/shown.git/info/refs?service=git-upload-pack')
  expect([refs.status, await refs.text()]).toEqual([200, expect.stringContaining('git-upload-pack')])
})

test('the coordinator serves health, readiness, metrics and its OpenAPI document', async () => {
  const coordinator = running()
  for (const path of ['/-/health', '/-/readiness', '/metrics', '/api/openapi.json']) {
    expect((await get(coordinator, path)).status, path).toBe(200)
  }
})

test('every metric of the coordinator is documented', async () => {
  const served = await metricNames(running())
  const page = await readFile('docs/operations.md', 'utf8')
  const documented = [...page.matchAll(/^\| `(switchyard_\w+)`/gm)].map(([, name]) => name)
  // Without mails, their metric is missing.
  expect([...served, 'switchyard_mails_total'].toSorted()).toEqual(documented.toSorted())
})

test('the dashboard for Grafana shows metrics that exist, of their kind', async () => {
  const { panels } = JSON.parse(await readFile('config/grafana-dashboard.json', 'utf8')) as {
    panels: { id: number; type: string; title: string; targets?: { expr: string }[] }[]
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const kinds = await metricKinds(running())
  kinds.set('switchyard_mails_total', 'counter')
  const used = new Set<string>()
  for (const { title, type, targets = [] } of panels) {
    expect(targets.length > 0, title).toBe(type !== 'row')
    for (const { expr } of targets) {
      const names = [...expr.matchAll(/\b(?:switchyard|process|nodejs)_\w+/g)].map(([name]) => name)
      expect(names, expr).not.toEqual([])
      for (const name of names) {
        const base = kinds.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
        const kind = kinds.get(base)
        expect(kind, `${title}: ${expr}`).toBe(
          name === base ? (kind === 'gauge' ? kind : 'counter') : 'histogram',
        )
        if (kind !== 'gauge') expect(expr).toContain(`rate(${name}`)
        used.add(base)
      }
    }
  }
  const unused = [...kinds.keys()].filter((name) => name.startsWith('switchyard_') && !used.has(name))
  expect(unused).toEqual([])
})

async function metricNames(coordinator: Coordinator): Promise<string[]> {
  return [...(await metricKinds(coordinator)).keys()].filter((name) => name.startsWith('switchyard_'))
}

async function metricKinds(coordinator: Coordinator): Promise<Map<string, string>> {
  const text = await (await get(coordinator, '/metrics')).text()
  return new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]))
}

test('unknown addresses are 404 in JSON, inside and outside the API', async () => {
  const coordinator = running()
  for (const path of ['/api/v4/nothing', '/nothing']) {
    const response = await get(coordinator, path)
    expect(response.status, path).toBe(404)
    expect(await response.json()).toEqual({ error: '404 Not Found' })
  }
})

test('a job request that is held gets 204 when the coordinator stops', async () => {
  const dataDir = await migratedDir()
  const coordinator = await start(dataDir)
  const { token } = await registerRunner(coordinator, await read(dataDir, 'runner-registration-token'))
  const first = await askForJob(coordinator, { token })
  const lastUpdate = first.headers.get('x-gitlab-last-update')
  const held = askForJob(coordinator, { token, last_update: lastUpdate })
  await untilUnderWay(coordinator, 2) // the held one, and the one that asks
  const [response] = await Promise.all([held, coordinator.stop(), coordinator.stop()])
  expect(response.status).toBe(204)
})

testAtNight(
  'a coordinator that stops is not ready, still serves new requests, and asks to close connections',
  async () => {
    const coordinator = await start(await migratedDir(), {}, { drain_seconds: '1' })
    const agent = new Agent({ keepAlive: true })
    onFinished(async () => agent.destroy())
    const read = (path: string) => readWith(agent, `${coordinator.url}${path}`)
    expect(await read('/-/readiness')).toEqual({ status: 200, connection: 'keep-alive' })
    const stopped = coordinator.stop()
    expect(await read('/-/readiness')).toEqual({ status: 503, connection: 'close' })
    expect(await read('/-/health')).toEqual({ status: 200, connection: 'close' })
    await stopped
    await expect(read('/-/health')).rejects.toThrow('ECONNREFUSED')
  },
)

testAtNight('a request whose body does not arrive holds a stop no longer than shutdown_seconds', async () => {
  const limits = { shutdown_seconds: '1' }
  const coordinator = await start(await migratedDir(), { adminToken: 'chosen' }, limits)
  const slow = request(`${coordinator.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'private-token': 'chosen', 'content-type': 'application/json', 'content-length': 1000 },
  })
  const failed = once(slow, 'error')
  slow.write('{')
  const [socket] = (await once(slow, 'socket')) as [Socket]
  if (socket.connecting) await once(socket, 'connect')
  await coordinator.stop()
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }])
})

/** Status, and what the response says about the connection. */
async function readWith(agent: Agent, url: string) {
  const [response] = (await once(httpGet(url, { agent }), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return { status: response.statusCode, connection: response.headers.connection }
}

testAtNight(
  'a push that waits for an included file does not block the shutdown, and runs at the next start',
  async () => {
    const dataDir = await migratedDir()
    const asked = deferred()
    let isThere = false
    const { url } = await webServer((_, response) => {
      if (isThere) response.end('job: { script: echo }')
      else asked.resolve()
    })
    const first = await start(dataDir, { adminToken: 'root-token' }, { 'outbound.allow_local_network': true })
    const headers = { 'private-token': 'root-token', 'content-type': 'application/json' }
    await fetch(`${first.url}/api/v4/projects`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'it' }),
    })
    const tree = await workTree({ '.gitlab-ci.yml': `include: ${url}/ci.yml` })
    const address = first.url.replace('//', '//root:root-token@')
    const pushed = gitOk(tree, 'push', `${address}/root/it.git`, 'HEAD:refs/heads/main')
    await asked.promise
    await Promise.all([first.stop(), pushed])
    isThere = true
    const second = await start(dataDir, {}, { 'outbound.allow_local_network': true })
    const path = '/api/v4/projects/root%2Fit/pipelines'
    await expect
      .poll(async () => (await get(second, path, 'root-token')).json(), { timeout: 10_000 })
      .toMatchObject([{ ref: 'main', source: 'push', status: 'pending' }])
  },
)

testAtNight('a port in use is reported in one sentence', async () => {
  const dataDir = await migratedDir()
  const coordinator = await start(dataDir)
  const { port } = new URL(coordinator.url)
  const settings = {
    ...(await settingsIn(await migratedDir())),
    listen: { host: '127.0.0.1', port: Number(port) },
  }
  await expect(startCoordinator(settings, createLogger('test', 'silent'))).rejects.toThrow(
    /^Cannot listen on 127\.0\.0\.1:\d+: another process listens there\. Stop it, or choose another port/,
  )
})

async function read(dataDir: string, name: string): Promise<string> {
  return (await readFile(join(dataDir, name), 'utf8')).trim()
}

async function registerRunner(coordinator: Coordinator, token: string): Promise<{ token: string }> {
  const response = await fetch(`${coordinator.url}/api/v4/runners`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return (await response.json()) as { token: string }
}

function askForJob(coordinator: Coordinator, body: object): Promise<Response> {
  return fetch(`${coordinator.url}/api/v4/jobs/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function untilUnderWay(coordinator: Coordinator, requests: number): Promise<void> {
  const line = `switchyard_http_requests_under_way ${requests}`
  let metrics = ''
  while (!metrics.includes(line)) metrics = await (await get(coordinator, '/metrics')).text()
}

testAtNight(
  'variables of a push start a pipeline where its author may give them, and the keys of tokens are shown',
  async () => {
    const dataDir = await migratedDir()
    const coordinator = await start(dataDir, { adminToken: 'root-token' })
    const post = async (path: string, body: object) => {
      const headers = { 'private-token': 'root-token', 'content-type': 'application/json' }
      const url = `${coordinator.url}/api/v4${path}`
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()) as { id: number; token: string }
    }
    const { id } = await post('/projects', { name: 'it', restrict_user_defined_variables: true })
    const ada = await post('/users', {
      username: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      force_random_password: true,
    })
    await post(`/projects/${id}/members`, { user_id: ada.id, access_level: 30 })
    const { token } = await post(`/users/${ada.id}/personal_access_tokens`, { name: 'push', scopes: ['api'] })
    const tree = await workTree({ '.gitlab-ci.yml': 'job: { script: echo }' })
    const push = (who: string, password: string, branch: string) =>
      gitOk(
        tree,
        ...['push', '-o', 'ci.variable=A=1'],
        coordinator.url.replace('//', `//${who}:${password}@`) + '/root/it.git',
        `HEAD:refs/heads/${branch}`,
      )
    await push('root', 'root-token', 'main')
    await push('ada', token, 'topic')
    const pipelines = await get(coordinator, `/api/v4/projects/${id}/pipelines`, 'root-token')
    expect(((await pipelines.json()) as { ref: string }[]).map(({ ref }) => ref)).toEqual(['main'])
    const discovery = await get(coordinator, '/.well-known/openid-configuration')
    expect(await discovery.json()).toMatchObject({ issuer: coordinator.url })
  },
)

test('a push starts a child and the pipeline of another project, whose jobs reach runners', async () => {
  const dataDir = await migratedDir()
  const coordinator = await start(dataDir, { adminToken: 'root-token', registrationToken: 'registration' })
  const { token } = await registerRunner(coordinator, 'registration')
  const push = async (name: string, files: Record<string, string>) => {
    const headers = { 'private-token': 'root-token', 'content-type': 'application/json' }
    const body = JSON.stringify({ name })
    await fetch(`${coordinator.url}/api/v4/projects`, { method: 'POST', headers, body })
    const url = `${coordinator.url.replace('//', '//root:root-token@')}/root/${name}.git`
    await gitOk(await workTree(files), 'push', url, 'HEAD:refs/heads/main')
  }
  await push('lib', {
    '.gitlab-ci.yml': 'of-lib: { script: echo, rules: [{ if: $CI_PIPELINE_SOURCE == "pipeline" }] }',
  })
  await push('app', {
    '.gitlab-ci.yml': 'child: { trigger: { include: child.yml } }\nlib: { trigger: root/lib }',
    'child.yml': 'of-child: { script: echo, rules: [{ if: $CI_UPSTREAM_JOB_ID }] }',
  })
  const names = [await nextJob(coordinator, token), await nextJob(coordinator, token)]
  expect(names.toSorted()).toEqual(['of-child', 'of-lib'])
})

/** Asks as a runner does, held until there is a job; its name. */
async function nextJob(coordinator: Coordinator, token: string): Promise<string> {
  for (let lastUpdate: string | null = null; ;) {
    const response = await askForJob(coordinator, { token, last_update: lastUpdate ?? '' })
    if (response.status === 201) {
      return ((await response.json()) as { job_info: { name: string } }).job_info.name
    }
    lastUpdate = response.headers.get('x-gitlab-last-update')
  }
}
