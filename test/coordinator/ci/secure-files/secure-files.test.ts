import { readFile, writeFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { type Person, Service } from '../../../conformance/support/service.js'
import { openForFile } from '../../../support/lifetime.js'

const shared = openForFile(() => Service.start())

const KEY = '-----BEGIN PRIVATE KEY-----\n'.repeat(4000)
const SHA256 = 'ad09e253cf31a278ef24da801e6d1d869be85cd4c3fafa1e36d739445d17f7c4'

interface Kept {
  id: number
  checksum: string
}

async function add(service: Service, projectId: number, name: string, bytes: string, as?: Person) {
  const form = new FormData()
  form.set('name', name)
  form.set('file', new Blob([bytes]), 'whatever')
  return fetch(`${service.url}/api/v4/projects/${projectId}/secure_files`, {
    method: 'POST',
    body: form,
    headers: { 'private-token': (as ?? service.root).token },
  })
}

test('a secure file is stored encrypted and returned unchanged', async () => {
  const service = shared()
  const { id } = await service.addProject()
  const path = `/projects/${id}/secure_files`
  const added = await add(service, id, 'release.keystore', KEY)
  expect(added.status).toBe(201)
  const record = (await added.json()) as Kept
  expect(record).toEqual({
    id: expect.any(Number) as number,
    name: 'release.keystore',
    checksum: SHA256,
    checksum_algorithm: 'sha256',
    expires_at: null,
    metadata: null,
    file_extension: 'keystore',
    created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  })
  expect(await service.json('GET', path)).toEqual([record])
  expect(await service.json('GET', `${path}/${record.id}`)).toEqual(record)

  const download = await service.fetch('GET', `${path}/${record.id}/download`, { as: service.root })
  expect(Object.fromEntries(download.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    'content-length': String(KEY.length),
    'content-disposition': expect.stringMatching(/^attachment; filename="release.keystore"/) as string,
  })
  expect(await download.text()).toBe(KEY)
  const [stored = ''] = await service.filesOf(`projects/${id}/secure-files`)
  expect((await readFile(stored)).includes('PRIVATE')).toBe(false)

  await writeFile(stored, Buffer.alloc(KEY.length))
  const changed = await service.fetch('GET', `${path}/${record.id}/download`, { as: service.root })
  expect([changed.status, await changed.text()]).toEqual([
    500,
    expect.stringContaining('The stored file is damaged: it cannot be decrypted'),
  ])

  expect((await service.fetch('DELETE', `${path}/${record.id}`, { as: service.root })).status).toBe(204)
  expect(await service.filesOf(`projects/${id}/secure-files`)).toEqual([])
  for (const [method, rest] of [
    ['DELETE', ''],
    ['GET', ''],
    ['GET', '/download'],
  ] as const) {
    const gone = await service.fetch(method, `${path}/${record.id}${rest}`, { as: service.root })
    expect([gone.status, await gone.json()]).toEqual([404, { message: '404 SecureFile Not Found' }])
  }
})

test('an invalid file is refused with the reason', async () => {
  const service = shared()
  const { id } = await service.addProject()
  expect((await add(service, id, 'a', 'x')).status).toBe(201)
  const taken = await add(service, id, 'a', 'y')
  expect([taken.status, await taken.json()]).toEqual([400, { message: { name: ['has already been taken'] } }])
  expect(await service.filesOf(`projects/${id}/secure-files`)).toHaveLength(1)
  expect((await add(service, id, 'b', 'x'.repeat(5 * 1024 * 1024 + 1))).status).toBe(413)
  const body = { name: 'c', file: 'text' }
  const text = await service.fetch('POST', `/projects/${id}/secure_files`, { as: service.root, body })
  expect([text.status, await text.json()]).toEqual([400, { error: 'file is invalid' }])
  const nothing = await service.fetch('POST', `/projects/${id}/secure_files`, { as: service.root, body: {} })
  expect(await nothing.json()).toEqual({ error: 'name is missing, file is missing' })
})

test('a running job fetches the files of its project and of no other', async () => {
  const service = shared()
  const project = await service.addProject({ '.gitlab-ci.yml': 'a: { script: [x] }' })
  const other = await service.addProject()
  const { id } = (await (await add(service, project.id, 'a', 'x')).json()) as Kept
  const foreign = (await (await add(service, other.id, 'a', 'secret')).json()) as Kept
  const runner = await service.addRunner()
  const job = await runner.takeJob()
  const get = async (path: string) => service.fetch('GET', path, { headers: { 'job-token': job.token } })
  expect(await (await get(`/projects/${project.id}/secure_files`)).json()).toMatchObject([{ id }])
  expect(await (await get(`/projects/${project.id}/secure_files/${id}/download`)).text()).toBe('x')
  const wrong = [`/projects/${other.id}`, `/projects/${project.id}`].map(
    async (place) => (await get(`${place}/secure_files/${foreign.id}/download`)).status,
  )
  expect(await Promise.all(wrong)).toEqual([403, 404])
  await runner.update(job, 'success')
  expect((await get(`/projects/${project.id}/secure_files`)).status).toBe(401)
})

test('secure files are deleted with their project', async () => {
  const service = shared()
  const { id } = await service.addProject()
  await add(service, id, 'a', 'x')
  expect((await service.fetch('DELETE', `/projects/${id}`, { as: service.root })).status).toBe(202)
  await expect.poll(() => service.filesOf(`projects/${id}/secure-files`)).toEqual([])
})
