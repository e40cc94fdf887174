import { expect, test } from 'vitest'

import { type Person as ServedPerson, Service } from '../../../conformance/support/service.js'
import { openForFile } from '../../../support/lifetime.js'

const shared = openForFile(() => Service.start())

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function upload(
  service: Service,
  as: ServedPerson | undefined,
  projectId: number,
  bytes: string | Buffer,
  name: string,
) {
  const form = new FormData()
  form.set('file', new Blob([bytes]), name)
  const response = await fetch(`${service.url}/api/v4/projects/${projectId}/uploads`, {
    method: 'POST',
    body: form,
    ...(as ? { headers: { 'private-token': as.token } } : {}),
  })
  return {
    status: response.status,
    body: (await response.json()) as { id: number; url: string; full_path: string },
  }
}

const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}

test.each([
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>', 'a.svg'],
  ['a page', '<!doctype html><script>x()</script>', 'a.html'],
  ['a page that is called a picture', '<script>x()</script>', 'a.png'],
  ['a page with a picture before it', 'GIF89a=1;/*<script>*/', 'a.js'],
])('%s does not run where it is served', async (_what, bytes, name) => {
  const service = shared()
  const project = await service.addProject({}, service.root, { visibility: 'public' })
  const { body } = await upload(service, service.root, project.id, bytes, name)
  const served = await fetch(`${service.url}/${project.path}${body.url}`)
  expect(served.status).toBe(200)
  expect(Object.fromEntries(served.headers)).toMatchObject(SAFE)
  const type = served.headers.get('content-type') ?? ''
  expect(type).toMatch(/^(application\/octet-stream|image\/gif)$/)
  if (type !== 'image/gif') expect(served.headers.get('content-disposition')).toMatch(/^attachment/)
})

test('files of a private project require access to it; images require only their address', async () => {
  const service = shared()
  const eve = await service.addPerson('eve')
  const project = await service.addProject({})
  const file = (await upload(service, service.root, project.id, 'text', 'a.txt')).body
  const picture = (await upload(service, service.root, project.id, PNG, 'a.png')).body
  const get = async (path: string, as?: ServedPerson) => {
    const headers: Record<string, string> = as ? { 'private-token': as.token } : {}
    return (await fetch(service.url + path, { headers })).status
  }
  for (const address of [`/${project.path}${file.url}`, file.full_path, file.url]) {
    expect([await get(address), await get(address, eve), await get(address, service.root)]).toEqual([
      404, 404, 200,
    ])
  }
  expect(await get(`/${project.path}${picture.url}`)).toBe(200)
  const other = `${picture.url.slice(0, -5)}b.png`
  expect(await get(`/${project.path}${other}`)).toBe(404)
  const api = `/api/v4/projects/${project.id}${file.url}`
  expect([await get(api), await get(api, eve), await get(api, service.root)]).toEqual([404, 404, 200])
  const elsewhere = await service.addProject({}, eve)
  expect(await get(`/${elsewhere.path}${file.url}`, eve)).toBe(404)
  expect(await get(`/api/v4/projects/${elsewhere.id}${file.url}`, eve)).toBe(404)
  expect((await upload(service, eve, project.id, 'x', 'x')).status).toBe(404)
  expect((await upload(service, undefined, project.id, 'x', 'x')).status).toBe(401)
})

test('uploads are listed and deleted by maintainers, and a picture is not sent twice', async () => {
  const service = shared()
  const project = await service.addProject({})
  const { body } = await upload(service, service.root, project.id, PNG, 'a.png')
  const address = `${service.url}/${project.path}${body.url}`
  const first = await fetch(address)
  expect(Buffer.from(await first.arrayBuffer())).toEqual(PNG)
  const etag = first.headers.get('etag') ?? ''
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(address, { method: 'HEAD' })).headers.get('content-length')).toBe(String(PNG.length))
  const list = await service.json<object[]>('GET', `/projects/${project.id}/uploads`)
  expect(list).toMatchObject([
    { id: body.id, size: PNG.length, filename: 'a.png', uploaded_by: { username: 'root' } },
  ])
  const statistics = await service.json('GET', `/projects/${project.id}?statistics=true`)
  expect(statistics).toMatchObject({ statistics: { uploads_size: PNG.length } })
  const path = `/projects/${project.id}/uploads/${body.id}`
  expect((await service.fetch('DELETE', path, { as: service.root })).status).toBe(204)
  expect((await service.fetch('DELETE', path, { as: service.root })).status).toBe(404)
  expect((await fetch(address)).status).toBe(404)
})
