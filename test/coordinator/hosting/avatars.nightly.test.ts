import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { type Person, Service } from '../../conformance/support/service.js'
import { openForFile } from '../../support/lifetime.js'

const shared = openForFile(() => Service.start())

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const GIF = Buffer.from('GIF89a')

interface Owner {
  id: number
  avatar_url: string | null
}

/** Resources with an avatar: the operation that sets it, and the field that shows it. */
interface Kind {
  name: string
  make: (service: Service, as: Person, visibility: string) => Promise<number>
  path: (id: number) => string
}

const KINDS: Kind[] = [
  {
    name: 'project',
    make: async (service, as, visibility) =>
      (await service.json<Owner>('POST', '/projects', { name: freshName(), visibility }, as)).id,
    path: (id) => `/projects/${id}`,
  },
  {
    name: 'group',
    make: async (service, as, visibility) =>
      (await service.json<Owner>('POST', '/groups', { name: 'It', path: freshName(), visibility }, as)).id,
    path: (id) => `/groups/${id}`,
  },
  {
    name: 'user',
    make: async (service) => (await service.addPerson(freshName())).id,
    path: (id) => `/users/${id}`,
  },
]

/** The tests share a service. */
function freshName(): string {
  return `it-${randomBytes(4).toString('hex')}`
}

function formOf(fields: Record<string, string>, picture: Buffer | '', filename = 'me.png'): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (picture === '') form.set('avatar', '')
  else form.set('avatar', new Blob([new Uint8Array(picture)]), filename)
  return form
}

async function send(
  service: Service,
  method: string,
  path: string,
  form: FormData,
  as: Person = service.root,
) {
  const headers = { 'private-token': as.token }
  const response = await fetch(`${service.url}/api/v4${path}`, { method, body: form, headers })
  return { status: response.status, body: (await response.json()) as Owner }
}

async function get(url: string, as?: Person) {
  const response = await fetch(url, as ? { headers: { 'private-token': as.token } } : {})
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test.each(KINDS)('a $name gets a picture, another one, and none', async ({ name, make, path }) => {
  const service = shared()
  const id = await make(service, service.root, 'public')
  const { body } = await send(service, 'PUT', path(id), formOf({}, PNG))
  expect(body.avatar_url).toBe(`${service.url}/uploads/-/system/${name}/avatar/${id}/me.png`)
  const first = body.avatar_url ?? ''
  expect(await get(first)).toMatchObject({
    status: 200,
    bytes: PNG,
    headers: {
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
  const changed = await send(service, 'PUT', path(id), formOf({}, GIF, 'x.png'))
  expect(changed.body.avatar_url).toMatch(/\/x\.gif$/)
  expect((await get(first)).status).toBe(404)
  expect((await get(changed.body.avatar_url ?? '')).bytes).toEqual(GIF)
  expect((await send(service, 'PUT', path(id), formOf({}, ''))).body.avatar_url).toBeNull()
  expect((await get(changed.body.avatar_url ?? '')).status).toBe(404)
  expect((await service.json<Owner>('GET', path(id))).avatar_url).toBeNull()
})

test.each(KINDS)('an invalid or too large image is refused as avatar of a $name', async ({ make, path }) => {
  const service = shared()
  const id = await make(service, service.root, 'public')
  const refusals = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /file format is not supported/],
    [Buffer.concat([PNG, Buffer.alloc(200 * 1024)]), /is too big \(should be at most 200 KiB\)/],
  ] as const
  for (const [picture, text] of refusals) {
    const before = await service.json('GET', path(id))
    const { status, body } = await send(service, 'PUT', path(id), formOf({ name: 'Other' }, picture))
    expect([status, body]).toEqual([400, { message: { avatar: [expect.stringMatching(text) as string] } }])
    expect(await service.json('GET', path(id))).toEqual(before)
  }
})

test.each([
  ['/projects', { name: 'new' }],
  ['/groups', { name: 'New', path: 'new' }],
  ['/users', { username: 'newcomer', name: 'New', email: 'new@example.com', force_random_password: 'true' }],
] as const)('POST %s takes a picture, and makes nothing with a wrong one', async (path, fields) => {
  const service = shared()
  const wrong = await send(service, 'POST', path, formOf(fields, Buffer.from('text')))
  expect(wrong.status).toBe(400)
  const made = await send(service, 'POST', path, formOf(fields, PNG))
  expect(made.status).toBe(201)
  expect((await get(made.body.avatar_url ?? '', service.root)).bytes).toEqual(PNG)
})

test.each(KINDS.filter(({ name }) => name !== 'user'))(
  'the picture of a private $name is for those who see it',
  async ({ make, path }) => {
    const service = shared()
    const eve = await service.addPerson(freshName())
    const id = await make(service, service.root, 'private')
    const { body } = await send(service, 'PUT', path(id), formOf({}, PNG))
    for (const url of [body.avatar_url ?? '', `${service.url}/api/v4${path(id)}/avatar`]) {
      const statuses = [await get(url), await get(url, eve), await get(url, service.root)]
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 200])
    }
    const none = await get(`${service.url}/uploads/-/system/group/avatar/4711/x.png`)
    const hidden = await get(body.avatar_url ?? '')
    expect(hidden.bytes).toEqual(none.bytes)
    expect((await send(service, 'PUT', path(id), formOf({}, ''), eve)).status).toBe(404)
  },
)

test('people set and remove their own picture, which is shown with their namespace and projects', async () => {
  const service = shared()
  const ann = await service.addPerson('ann')
  const project = await service.json<Owner>('POST', '/projects', { name: 'it', visibility: 'public' }, ann)
  const { status, body } = await send(service, 'PUT', '/user/avatar', formOf({}, PNG, 'me.png'), ann)
  const avatar_url = `${service.url}/uploads/-/system/user/avatar/${ann.id}/me.png`
  expect([status, body]).toEqual([200, { avatar_url }])
  expect(await service.json('GET', `/users/${ann.id}`)).toMatchObject({ avatar_url })
  expect(await service.json('GET', '/namespaces/ann', undefined, ann)).toMatchObject({ avatar_url })
  const shown = await service.fetch('GET', `/projects/${project.id}`)
  expect(await shown.json()).toMatchObject({ namespace: { avatar_url } })
  expect((await get(avatar_url)).bytes).toEqual(PNG)
  const byEmail = async (email: string): Promise<unknown> =>
    (await service.fetch('GET', `/avatar?size=40&email=${encodeURIComponent(email)}`)).json()
  const { email } = await service.json<{ email: string }>('GET', '/user', undefined, ann)
  expect(await byEmail(email)).toEqual({ avatar_url: null })
  await service.json('PUT', `/users/${ann.id}`, { public_email: email })
  expect(await byEmail(email.toUpperCase())).toEqual({ avatar_url })
  await service.json('PUT', `/users/${ann.id}`, { private_profile: true })
  expect(await byEmail(email)).toEqual({ avatar_url: null })
  expect((await send(service, 'PUT', '/user/avatar', formOf({}, ''), ann)).body).toEqual({ avatar_url: null })
  expect((await service.fetch('PUT', '/user/avatar', { body: {}, as: ann })).status).toBe(400)
  expect((await service.fetch('PUT', '/user/avatar')).status).toBe(401)
})

test('a group shows its picture wherever it is named', async () => {
  const service = shared()
  const group = await service.json<Owner>('POST', '/groups', { name: 'It', path: 'named' })
  const { body } = await send(service, 'PUT', `/groups/${group.id}`, formOf({}, PNG))
  const { avatar_url } = body
  const project = await service.json<Owner>('POST', '/projects', { name: 'in', namespace_id: group.id })
  expect(project).toMatchObject({ avatar_url: null, namespace: { avatar_url } })
  expect(await service.json('GET', '/groups?search=named')).toMatchObject([{ avatar_url }])
  expect(await service.json('GET', '/namespaces/named')).toMatchObject({ avatar_url })
  expect(await service.json('GET', `/projects/${project.id}/groups`)).toMatchObject([{ avatar_url }])
  const direct = await get(`${service.url}/api/v4/groups/named/avatar`, service.root)
  expect([direct.bytes, direct.headers['content-type']]).toEqual([PNG, 'image/png'])
})

test.each(KINDS)('the picture of a $name goes with it', async ({ name, make, path }) => {
  const service = shared()
  const id = await make(service, service.root, 'public')
  const { body } = await send(service, 'PUT', path(id), formOf({}, PNG))
  expect((await get(body.avatar_url ?? '')).status).toBe(200)
  expect(await service.filesOf(`${name}s/${id}`)).toHaveLength(1)
  await service.fetch('DELETE', path(id), { as: service.root })
  expect((await get(body.avatar_url ?? '')).status).toBe(404)
  expect(await service.filesOf(`${name}s/${id}`)).toEqual([])
})
