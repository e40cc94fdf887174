import { buffer } from 'node:stream/consumers'

import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'

import { Sent } from '../../coordinator/http/at-once/bodies.js'
import { addJob, addScene, type Scene } from '../../coordinator/http/at-once/scene.js'
import { freshName, World } from '../../coordinator/http/at-once/world.js'
import { zipOf } from '../../coordinator/support/zip.js'
import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'

// Files and texts of users are served from the origin at which people sign in. A browser must run nothing of them.

const PAGE = '<!doctype html><script>alert(document.domain)</script>'
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'

/** Headers that keep a browser from running content of any type. */
function expectInert({ headers }: LightMyRequestResponse, at: string): void {
  expect(headers['x-content-type-options'], at).toBe('nosniff')
  const policy = String(headers['content-security-policy'])
  expect(policy, at).toMatch(/^default-src 'none';/)
  expect(policy, at).toMatch(/(^|; )sandbox(;|$)/)
}

async function open(): Promise<{
  world: World
  scene: Scene
  read: (path: string) => Promise<LightMyRequestResponse>
}> {
  const world = await World.open(openSqlite)
  const scene = await addScene(world)
  const read = (path: string) => world.request('GET', path, { 'private-token': scene.user.token })
  return { world, scene, read }
}

const opened = openForFile(open)

test('pages and drawings in a repository are sent as text that runs nothing', async () => {
  const { world, scene, read } = opened()
  const P = `/projects/${scene.project}`
  const actions = [
    { action: 'create', file_path: 'page.html', content: PAGE },
    { action: 'create', file_path: 'drawing.svg', content: DRAWING },
    { action: 'create', file_path: 'code.js', content: 'alert(1)' },
  ]
  await world.make(scene.user, 'POST', `${P}/repository/commits`, {
    branch: 'main',
    commit_message: 'x',
    actions,
  })
  for (const name of ['page.html', 'drawing.svg', 'code.js']) {
    const raw = await read(`/api/v4${P}/repository/files/${name}/raw?ref=main`)
    expect([raw.statusCode, raw.headers['content-type']], name).toEqual([200, 'text/plain'])
    expectInert(raw, name)
  }
  const { path_with_namespace: path } = (await read(`/api/v4${P}`)).json<{ path_with_namespace: string }>()
  for (const [name, type] of [
    ['page.html', 'text/plain'],
    ['code.js', 'text/plain'],
    ['drawing.svg', 'image/svg+xml'],
  ]) {
    const raw = await read(`/${path}/-/raw/main/${name}`)
    expect([raw.statusCode, raw.headers['content-type']], name).toEqual([200, type])
    expectInert(raw, `raw ${name}`)
  }
})

test('a page with the name of a PDF, video or sound is none for the browser', async () => {
  const { world, scene, read } = opened()
  const names = ['page.pdf', 'page.mp4', 'page.wav']
  await world.make(scene.user, 'POST', `/projects/${scene.project}/repository/commits`, {
    branch: 'main',
    commit_message: 'x',
    actions: names.map((name) => ({ action: 'create', file_path: name, content: PAGE })),
  })
  const job = await jobWith(world, scene, Object.fromEntries(names.map((name) => [name, PAGE])))
  const pathOf = async (id: number) =>
    (await read(`/api/v4/projects/${id}`)).json<{ path_with_namespace: string }>().path_with_namespace
  const addresses = [
    `/${await pathOf(scene.project)}/-/raw/main/`,
    `/${await pathOf(job.project)}/-/jobs/${job.id}/artifacts/raw/`,
  ]
  for (const name of names) {
    for (const address of addresses.map((prefix) => `${prefix}${name}?inline=true`)) {
      const { statusCode, headers } = await read(address)
      expect([statusCode, headers['x-content-type-options']], address).toEqual([200, 'nosniff'])
      expect(headers['content-type'], address).toMatch(/^(application\/pdf|video\/mp4|audio\/wav)$/)
      // A viewer needs more than the sandbox gives it, but no scripts.
      expect(headers['content-security-policy'], address).toMatch(
        name === 'page.pdf'
          ? /^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'$/
          : /; sandbox$/,
      )
    }
  }
})

test('pages and drawings among artifacts are downloads in a sandbox', async () => {
  const { world, scene, read } = opened()
  const job = await jobWith(world, scene, { 'report/page.html': PAGE, 'drawing.svg': DRAWING })
  const { path_with_namespace: path } = (await read(`/api/v4/projects/${job.project}`)).json<{
    path_with_namespace: string
  }>()
  for (const name of ['report/page.html', 'drawing.svg']) {
    for (const address of [
      `/api/v4/projects/${job.project}/jobs/${job.id}/artifacts/${name}`,
      `/${path}/-/jobs/${job.id}/artifacts/raw/${name}`,
    ]) {
      const file = await read(address)
      expect(file.statusCode, address).toBe(200)
      expect(file.headers['content-disposition'], address).toMatch(/^attachment;/)
      expectInert(file, address)
    }
  }
})

test('the log of a job is plain text', async () => {
  const { world, scene, read } = opened()
  const job = await jobWith(world, scene, {})
  const log = await read(`/api/v4/projects/${job.project}/jobs/${job.id}/trace`)
  expect([log.statusCode, log.body, log.headers['content-type']]).toEqual([
    200,
    PAGE,
    expect.stringMatching(/^text\/plain/),
  ])
  expectInert(log, 'trace')
})

test.each([
  ['page.html', 'text/html', PAGE],
  ['drawing.svg', 'image/svg+xml', DRAWING],
  ['picture.png', 'image/png', PAGE],
])('an upload %s of type %s runs nothing', async (name, type, content) => {
  const { world, scene, read } = opened()
  const form = new FormData()
  form.set('file', new Blob([content], { type }), name)
  const made = await world.make<{ full_path: string }>(
    scene.user,
    'POST',
    `/projects/${scene.project}/uploads`,
    new Sent(form),
  )
  const shown = await read(made.full_path)
  expect(shown.statusCode).toBe(200)
  expectInert(shown, name)
  if (name !== 'picture.png') expect(shown.headers['content-disposition']).toMatch(/^attachment;/)
})

test('a drawing or page is refused as a picture of a project', async () => {
  const { world, scene } = opened()
  for (const [content, type, name] of [
    [DRAWING, 'image/svg+xml', 'a.svg'],
    [DRAWING, 'image/png', 'a.png'],
    [PAGE, 'image/png', 'a.png'],
  ] as const) {
    const form = new FormData()
    form.set('avatar', new Blob([content], { type }), name)
    const told = await world.call(scene.user, 'PUT', `/projects/${scene.project}`, new Sent(form))
    expect([told.status, told.body], name).toEqual([400, expect.stringContaining('avatar')])
  }
})

test('the texts of a badge are escaped', async () => {
  const { scene, read } = opened()
  const text = encodeURIComponent(`"/><script>alert(1)</script>`)
  const project = await read(`/api/v4/projects/${scene.project}`)
  const { path_with_namespace } = project.json<{ path_with_namespace: string }>()
  const badge = await read(`/${path_with_namespace}/badges/main/pipeline.svg?key_text=${text}&key_width=200`)
  expect([badge.statusCode, badge.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(badge.body).not.toContain('<script')
  expectInert(badge, 'badge')
})

test('the notes of a release are HTML without markup of their own', async () => {
  const { world, scene } = opened()
  const description = [
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[b](data:text/html,x)',
    '![c](x" onerror="alert(1))',
    '<a href="https://a.example" onclick="x">d</a>',
    '`<script>`',
  ].join('\n\n')
  const release = { tag_name: 'v1', ref: 'main', description }
  const made = await world.make<{ description_html: string }>(
    scene.user,
    'POST',
    `/projects/${scene.project}/releases`,
    release,
  )
  expect(made.description_html.replaceAll(/&lt;.*?&gt;/g, '')).not.toMatch(
    /<(?!\/?(p|a|img|code)\b)|<[^>]*\son\w+=/,
  )
  expect(made.description_html).not.toMatch(/(href|src)="(javascript|data):/)
})

test.each([
  ['POST /projects/:id/environments', { name: 'a', external_url: 'javascript:alert(1)' }],
  ['POST /projects/:id/environments', { name: 'a', external_url: 'view-source:javascript:alert(1)' }],
  ['POST /projects/:id/badges', { link_url: 'javascript:alert(1)', image_url: 'https://a.example' }],
  ['POST /projects/:id/badges', { link_url: 'https://a.example', image_url: 'data:image/svg+xml,x' }],
  [
    'POST /projects/:id/releases',
    { tag_name: 'v1', ref: 'main', assets: { links: [{ name: 'a', url: 'javascript:alert(1)' }] } },
  ],
  ['POST /projects/:id/statuses/:sha', { state: 'success', target_url: 'javascript:alert(1)' }],
  ['POST /applications', { name: 'a', redirect_uri: 'javascript:alert(1)', scopes: 'api' }],
  ['POST /projects/:id/hooks', { url: 'javascript:alert(1)' }],
])('%s refuses an address that a browser would run: %j', async (route, body) => {
  const { world, scene } = opened()
  const [method = '', path = ''] = route
    .replace(':id', String(scene.project))
    .replace(':sha', scene.sha)
    .split(' ')
  const as = route.includes('applications') ? world.root : scene.user
  expect((await world.call(as, method, path, body)).status).toBeGreaterThanOrEqual(400)
})

test.each([
  '/api/v4/nothing/<script>',
  '/<script>alert(1)</script>',
  '/api/v4/projects/%3Cscript%3E',
  '/api/v4/projects?page=<script>',
])('the error at %s is no page', async (path) => {
  const { read } = opened()
  const response = await read(encodeURI(path))
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(String(response.headers['content-type'] ?? '')).not.toMatch(/html|svg|xml/)
  expectInert(response, path)
})

test('responses of the API are no pages to a browser', async () => {
  const { world, scene, read } = opened()
  await world.make(scene.user, 'PUT', `/projects/${scene.project}`, { description: PAGE })
  const response = await read(`/api/v4/projects/${scene.project}`)
  expect(response.headers['content-type']).toBe('application/json')
  expectInert(response, 'project')
})

test('the page of the API runs only scripts of its own', async () => {
  const { read } = opened()
  const policy = String((await read('/api/docs')).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe')
})

test.each([
  ["UTF-8''a%0d%0aSet-Cookie:%20a=b.txt", 400],
  ["UTF-8''a%00b.txt", 400],
  ["UTF-8''%22;x=%22.txt", 201],
])('the file name %s puts no header into the response', async (encoded, status) => {
  const { world, scene, read } = opened()
  const payload = `--b\r\ncontent-disposition: form-data; name="file"; filename*=${encoded}\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--\r\n`
  const told = await world.call(
    scene.user,
    'POST',
    `/projects/${scene.project}/uploads`,
    new Sent(payload, { 'content-type': 'multipart/form-data; boundary=b' }),
  )
  expect(told.status, told.body).toBe(status)
  if (status !== 201) return
  const { full_path } = JSON.parse(told.body) as { full_path: string }
  const { headers } = await read(full_path)
  expect(headers['set-cookie']).toBeUndefined()
  expect(String(headers['content-disposition'])).toMatch(
    /^attachment; filename="[^"\r\n]*"; filename\*=UTF-8''[\w.%-]+$/,
  )
})

/** A job of a project of its own that has left these files, and a log that is a page. */
async function jobWith(world: World, scene: Scene, files: Record<string, string>) {
  const { id: project } = await world.make(scene.user, 'POST', '/projects', {
    name: freshName(),
    namespace_id: scene.group,
  })
  const job = await addJob(world, project, scene.user)
  const headers = { 'job-token': job.token }
  const range = { 'content-range': `0-${PAGE.length - 1}`, 'content-type': 'text/plain' }
  await world.make(scene.user, 'PATCH', `/jobs/${job.id}/trace`, new Sent(PAGE, { ...headers, ...range }))
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await buffer(await zipOf({ ...files, 'a.txt': 'a' })))]), 'a.zip')
  await world.make(scene.user, 'POST', `/jobs/${job.id}/artifacts`, new Sent(form, headers))
  return { project, id: job.id }
}
