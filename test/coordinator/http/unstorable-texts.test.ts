import { expect, test } from 'vitest'

import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'
import { addScene } from './at-once/scene.js'
import { World } from './at-once/world.js'

async function open() {
  const world = await World.open(openSqlite)
  const scene = await addScene(world)
  const P = `/projects/${scene.project}`
  const call = (method: string, path: string, body?: object) => world.call(scene.user, method, path, body)
  const refs = async () => [
    await world.make<{ name: string }[]>(scene.user, 'GET', `${P}/repository/branches`),
    await world.make<{ name: string }[]>(scene.user, 'GET', `${P}/repository/tags`),
  ]
  return { world, scene, P, call, refs }
}

const opened = openForFile(open)

test.each([
  ['a branch', 'repository/branches', 'branch', { ref: 'main' }],
  ['a tag', 'repository/tags', 'tag_name', { ref: 'main' }],
  ['a project', '', 'name', {}],
  ['an environment', 'environments', 'name', {}],
  ['a variable', 'variables', 'value', { key: 'A' }],
  ['a release', 'releases', 'description', { tag_name: 'v1', ref: 'main' }],
])('half a surrogate pair in %s is refused by name, and nothing is made', async (_, path, name, others) => {
  const { P, call, refs } = opened()
  const before = await refs()
  for (const text of ['s\ud800', '\udc00s', 'a\0b']) {
    const told = await call('POST', path === '' ? '/projects' : `${P}/${path}`, { ...others, [name]: text })
    expect([told.status, JSON.parse(told.body)]).toEqual([400, { error: `${name} is invalid` }])
  }
  expect(await refs()).toEqual(before)
})

test.each(['/etc/passwd', '../x', 'a//b', '.'])(
  'commits at the path %s are refused by name',
  async (path) => {
    const { P, call } = opened()
    const told = await call('GET', `${P}/repository/commits?path=${encodeURIComponent(path)}`)
    expect([told.status, JSON.parse(told.body)]).toEqual([400, { error: 'path is invalid' }])
  },
)

test('a folder may be named with a slash at its end', async () => {
  const { P, call } = opened()
  expect(await call('GET', `${P}/repository/commits?path=a.txt/`)).toMatchObject({ status: 200 })
})

test('a control character in the name of an author is refused by name, and nothing is committed', async () => {
  const { P, scene, call, refs } = opened()
  const before = await refs()
  const actions = [{ action: 'create', file_path: 'new', content: 'x' }]
  const commit = { branch: scene.main, commit_message: 'x', actions, author_name: '\x01' }
  const told = await call('POST', `${P}/repository/commits`, commit)
  expect([told.status, JSON.parse(told.body)]).toEqual([400, { error: 'author_name is invalid' }])
  expect(await refs()).toEqual(before)
})

test('users whose name git strips to nothing can commit and tag', async () => {
  const { world, P, scene, call } = opened()
  await world.make(world.root, 'PUT', `/users/${scene.user.id}`, { name: '<...>' })
  const actions = [{ action: 'create', file_path: 'new', content: 'x' }]
  const commit = { branch: scene.main, commit_message: 'x', actions }
  expect(await call('POST', `${P}/repository/commits`, commit)).toMatchObject({ status: 201 })
  const tag = { tag_name: 'v1', ref: 'main', message: 'one' }
  expect(await call('POST', `${P}/repository/tags`, tag)).toMatchObject({ status: 201 })
  const project = { name: 'begun', initialize_with_readme: true }
  expect(await call('POST', '/projects', project)).toMatchObject({ status: 201 })
})

/** What Node lets through in a header: any byte but a control character. */
const HEADER_TEXTS = [
  '',
  ' ',
  '\xff\xfe',
  '../..',
  '-1',
  '9223372036854775808',
  '1e400',
  '"',
  '*',
  'x'.repeat(8000),
]

const HEADERS = [
  'private-token',
  'job-token',
  'authorization',
  'sudo',
  'if-none-match',
  'if-unmodified-since',
  'range',
  'if-range',
  'content-range',
  'upload-offset',
  'content-type',
  'x-request-id',
  'accept',
]

test.each(sampled(HEADERS, 3))('no value of the header %s makes a call fail', async (header) => {
  const { world, scene, P } = opened()
  const failures: string[] = []
  for (const text of HEADER_TEXTS) {
    const as = { 'private-token': scene.user.token }
    const asJob = { 'job-token': scene.job.token, 'content-type': 'application/octet-stream' }
    for (const [method, path, headers, payload] of [
      ['GET', P, as, undefined],
      ['GET', `${P}/repository/files/a.txt/raw?ref=main`, as, undefined],
      ['DELETE', `${P}/variables/NONE`, as, undefined],
      ['POST', `${P}/variables`, as, '{"key":"A"}'],
      ['PATCH', `/jobs/${scene.job.id}/trace`, asJob, 'x'],
      ['PATCH', `/jobs/${scene.job.id}/artifacts/uploads/archive`, asJob, 'x'],
      ['PUT', `/jobs/${scene.job.id}/cache?key=k`, asJob, 'x'],
    ] as const) {
      const { statusCode } = await world.request(
        method,
        `/api/v4${path}`,
        { ...headers, [header]: text },
        payload,
      )
      if (statusCode >= 500) failures.push(`${method} ${path} with ${text.slice(0, 20)}: ${statusCode}`)
    }
  }
  expect(failures).toEqual([])
})
