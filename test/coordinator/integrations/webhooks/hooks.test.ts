import { expect, test } from 'vitest'

import { HOOK_TRIGGERS } from '../../../../src/coordinator/database/tables/webhooks.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, openPeopleApi, type PeopleApi } from '../../support/people-api.js'
import { addPerson, type Person } from '../../support/test-app.js'

const URL = 'https://hooks.example.com/ci'

interface Situation {
  api: PeopleApi
  owner: Person
  hooks: string
}

async function open(): Promise<Situation> {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'ann')
  const project = await addProject(api, owner, { name: 'app' })
  return { api, owner, hooks: `/projects/${project.id}/hooks` }
}

async function add({ api, owner, hooks }: Situation, params: object): Promise<{ id: number }> {
  const response = await api.call(owner, `POST ${hooks}`, { url: URL, ...params })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

test('a hook receives pushes by default, and every flag can be set', async () => {
  const at = await open()
  const plain = await add(at, {})
  expect(plain).toMatchObject({
    ...Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, flag === 'push_events'])),
    url: URL,
    enable_ssl_verification: true,
    push_events_branch_filter: null,
    branch_filter_strategy: 'wildcard',
    alert_status: 'executable',
    disabled_until: null,
    url_variables: [],
    custom_headers: [],
  })
  const all = Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, flag === 'push_events' ? 0 : 1]))
  const expected = Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, flag !== 'push_events']))
  expect(await add(at, all)).toMatchObject(expected)
})

testAtNight('the wiki flag is accepted under both of its names', async () => {
  const at = await open()
  const { id } = await add(at, { wiki_page_events: true })
  const off = await at.api.call(at.owner, `PUT ${at.hooks}/${id}`, { url: URL, wiki_events: false })
  expect(off.json()).toMatchObject({ wiki_page_events: false })
  const on = await at.api.call(at.owner, `PUT ${at.hooks}/${id}`, { wiki_page_events: true })
  expect(on.json()).toMatchObject({ wiki_page_events: true, push_events: true, url: URL })
})

test('secrets are write-only and stored encrypted', async () => {
  const at = await open()
  const { id } = await add(at, {
    url: `https://ann:hidden1@hooks.example.com/{place}`,
    token: 'hidden2',
    custom_headers: [{ key: 'X-Key', value: 'hidden3' }],
    url_variables: [{ key: 'place', value: 'hidden4' }],
  })
  const shown = await at.api.call(at.owner, `GET ${at.hooks}/${id}`)
  expect(shown.json()).toMatchObject({
    custom_headers: [{ key: 'X-Key' }],
    url_variables: [{ key: 'place' }],
  })
  expect(shown.json()).not.toHaveProperty('token')
  expect(shown.body).not.toMatch(/hidden[234]/)
  const rows = await at.api.database.selectFrom('web_hook').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('hidden')
})

testAtNight(
  'an update keeps the value of a header without a new value, and deletes headers that are not named',
  async () => {
    const at = await open()
    const { id } = await add(at, {
      custom_headers: [
        { key: 'X-A', value: 'a' },
        { key: 'X-B', value: 'b' },
      ],
    })
    const edit = (custom_headers: object[]) =>
      at.api.call(at.owner, `PUT ${at.hooks}/${id}`, { custom_headers })
    expect((await edit([{ key: 'X-B' }])).json()).toMatchObject({ custom_headers: [{ key: 'X-B' }] })
    const unknown = await edit([{ key: 'X-A' }])
    expect([unknown.statusCode, unknown.json()]).toEqual([
      422,
      { message: { custom_headers: ['require a value for X-A'] } },
    ])
  },
)

const REFUSED: [params: object, body: object][] = [
  [{ url: 'nothing' }, { error: 'Invalid url given' }],
  [{ url: '' }, { error: 'Invalid url given' }],
  [{ url: 'ftp://example.com' }, { error: 'Invalid url given' }],
  [{ url: 'http://[::1' }, { error: 'Invalid url given' }],
  [{ url: 'http://localhost:8080' }, { error: 'Url is blocked: Requests to localhost are not allowed' }],
  [{ url: 'http://127.1/' }, { error: 'Url is blocked: Requests to localhost are not allowed' }],
  [
    { url: 'http://169.254.169.254/latest' },
    { error: 'Url is blocked: Requests to the local network are not allowed' },
  ],
  [
    { url: 'http://{host}/', url_variables: [{ key: 'host', value: '10.0.0.1' }] },
    { error: 'Url is blocked: Requests to the local network are not allowed' },
  ],
  [{ push_events_branch_filter: 'a b' }, { error: 'Invalid branch filter given' }],
  [
    { push_events_branch_filter: '(', branch_filter_strategy: 'regex' },
    { error: 'Invalid branch filter given' },
  ],
  [
    { custom_headers: [{ key: 'Host', value: 'x' }] },
    { message: { custom_headers: ['Host cannot be a custom header'] } },
  ],
  [
    { custom_headers: [{ key: 'X-A\r\nB', value: 'x' }] },
    { message: { custom_headers: ['X-A\r\nB cannot be a custom header'] } },
  ],
  [
    { custom_headers: [{ key: 'X-A', value: 'x\r\nHost: y' }] },
    { message: { custom_headers: ['the value of X-A contains a control character'] } },
  ],
  [
    { custom_webhook_template: '{"a": {{b}' },
    { message: { custom_webhook_template: ['must be valid JSON'] } },
  ],
]

test('invalid hooks and local network addresses are refused with 422', async () => {
  const { api, owner, hooks } = await open()
  for (const [params, body] of REFUSED) {
    const response = await api.call(owner, `POST ${hooks}`, { url: URL, ...params })
    expect([response.statusCode, response.json()]).toEqual([422, body])
  }
})

test('a project has at most 100 hooks', async () => {
  const at = await open()
  await add(at, {})
  const { id: _, ...hook } = await at.api.database
    .selectFrom('web_hook')
    .selectAll()
    .executeTakeFirstOrThrow()
  await at.api.database
    .insertInto('web_hook')
    .values(Array.from({ length: 99 }, () => hook))
    .execute()
  const response = await at.api.call(at.owner, `POST ${at.hooks}`, { url: URL })
  expect([response.statusCode, response.json()]).toEqual([
    422,
    { message: { base: ['Maximum number of project hooks (100) exceeded'] } },
  ])
})

test('hooks are listed page by page, changed, and deleted once', async () => {
  const at = await open()
  const ids: number[] = []
  for (const name of ['a', 'b', 'c']) ids.push((await add(at, { name })).id)
  const second = await at.api.call(at.owner, `GET ${at.hooks}?per_page=2&page=2`)
  expect([second.headers['x-total'], second.json()]).toMatchObject(['3', [{ id: ids[2], name: 'c' }]])
  const one = `${at.hooks}/${ids[0]}`
  const changed = await at.api.call(at.owner, `PUT ${one}`, { name: null, tag_push_events: true })
  expect(changed.json()).toMatchObject({ name: null, tag_push_events: true, push_events: true })
  const statuses = []
  for (const method of ['DELETE', 'DELETE', 'GET', 'PUT']) {
    statuses.push((await at.api.call(at.owner, `${method} ${one}`)).statusCode)
  }
  expect(statuses).toEqual([204, 204, 404, 404])
})

test('only maintainers have to do with hooks, and only with those of their own project', async () => {
  const at = await open()
  const { id } = await add(at, {})
  const dev = await addPerson(at.api.database, 'dev')
  await addMember(at.api, at.owner, Number(at.hooks.split('/')[2]), dev, 30)
  const stranger = await addPerson(at.api.database, 'eve')
  const theirs = await addProject(at.api, stranger, { name: 'theirs' })
  for (const route of [
    `GET ${at.hooks}`,
    `POST ${at.hooks}`,
    `GET ${at.hooks}/${id}`,
    `PUT ${at.hooks}/${id}`,
    `DELETE ${at.hooks}/${id}`,
  ]) {
    const body = route.startsWith('P') ? { url: URL } : undefined
    expect((await at.api.call(undefined, route, body)).statusCode, route).toBe(
      route.startsWith('GET') ? 401 : 401,
    )
    expect((await at.api.call(stranger, route, body)).statusCode, route).toBe(404)
    expect((await at.api.call(dev, route, body)).statusCode, route).toBe(403)
  }
  await at.api.call(stranger, `DELETE /projects/${theirs.id}/hooks/${id}`)
  for (const method of ['GET', 'PUT']) {
    const response = await at.api.call(stranger, `${method} /projects/${theirs.id}/hooks/${id}`)
    expect([response.statusCode, response.json()]).toEqual([404, { message: '404 Not found' }])
  }
  expect((await at.api.call(at.owner, `GET ${at.hooks}/${id}`)).statusCode).toBe(200)
})

test('read-only fields are ignored', async () => {
  const at = await open()
  const other = await addProject(at.api, at.owner, { name: 'other' })
  const { id } = await add(at, {
    id: 77,
    project_id: other.id,
    recent_failures: 40,
    disabled_until: 1,
    alert_status: 'disabled',
    lease_owner: 'me',
    lease_until: 9e15,
    created_at: 0,
    url_encrypted: 'x',
    token_encrypted: 'x',
  })
  const row = await at.api.database.selectFrom('web_hook').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    id,
    recent_failures: 0,
    disabled_until: null,
    lease_owner: null,
    token_encrypted: null,
    project_id: Number(at.hooks.split('/')[2]),
  })
})

const WRONG: [params: object, error: string][] = [
  [{ url: undefined }, 'url is missing'],
  [{ push_events: 'perhaps' }, 'push_events is invalid'],
  [{ branch_filter_strategy: 'none' }, 'branch_filter_strategy does not have a valid value'],
  [{ url: { a: 1 } }, 'url is invalid'],
  [{ token: 'x\0y' }, 'token is invalid'],
]

test('parameters of the wrong kind are refused', async () => {
  const { api, owner, hooks } = await open()
  for (const [params, error] of WRONG) {
    const response = await api.call(owner, `POST ${hooks}`, { url: URL, ...params })
    expect([response.statusCode, response.json()]).toEqual([400, { error }])
  }
})

test('headers and variables are set and taken off one at a time, and keep their values to themselves', async () => {
  const at = await open()
  const { id } = await add(at, { custom_headers: [{ key: 'X-A', value: 'one' }] })
  const one = `${at.hooks}/${id}`
  const call = async (route: string, body?: object) => {
    const response = await at.api.call(at.owner, route, body)
    return [response.statusCode, response.body === '' ? undefined : response.json<unknown>()]
  }
  expect(await call(`PUT ${one}/custom_headers/X-B`, { value: 'two' })).toEqual([200, { key: 'X-B' }])
  expect(await call(`PUT ${one}/url_variables/path`, { value: 'hidden' })).toEqual([200, { key: 'path' }])
  expect(await call(`GET ${one}`)).toMatchObject([
    200,
    { custom_headers: [{ key: 'X-A' }, { key: 'X-B' }], url_variables: [{ key: 'path' }] },
  ])
  expect(await call(`DELETE ${one}/custom_headers/X-A`)).toEqual([204, undefined])
  expect(await call(`DELETE ${one}/custom_headers/X-A`)).toEqual([
    404,
    { message: '404 Custom header Not Found' },
  ])
  expect(await call(`DELETE ${one}/url_variables/none`)).toEqual([
    404,
    { message: '404 URL variable Not Found' },
  ])
  expect(await call(`PUT ${one}/custom_headers/Host`, { value: 'x' })).toEqual([
    422,
    { message: { custom_headers: ['Host cannot be a custom header'] } },
  ])
  expect(await call(`PUT ${one}/custom_headers/X-C`)).toEqual([400, { error: 'value is missing' }])
})
