import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import { sampled } from '../../../support/nightly.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { BATCH, download, lfsForFile, type LfsScene, objectOf, oidOf, upload } from './lfs-client.js'

const startLfs = lfsForFile()

const CONTENT = 'a large file\n'
const { oid, size } = objectOf(CONTENT)

/** Neither row nor blob. */
async function expectNothingStored({ database, services, project }: LfsScene, id = oid) {
  expect(await database.selectFrom('lfs_object').selectAll().execute()).toEqual([])
  expect(await services.blobs.exists(`projects/${project.id}/lfs/${id}`)).toBe(false)
}

test('an uploaded object is downloaded, whole or in part', async () => {
  const server = await startLfs()
  expect((await upload(server, CONTENT)).status).toBe(200)
  expect((await upload(server, CONTENT)).status).toBe(200)
  const whole = await download(server, oid)
  expect(whole).toMatchObject({ status: 200, text: CONTENT })
  expect(whole.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  })
  const rest = await download(server, oid, { headers: { range: 'bytes=2-' } })
  expect(rest).toMatchObject({ status: 206, text: CONTENT.slice(2) })
  expect((await download(server, oid, { headers: { range: 'bytes=99-' } })).status).toBe(416)
})

test('an empty object is stored', async () => {
  const server = await startLfs()
  expect((await upload(server, '')).status).toBe(200)
  expect(await download(server, oidOf(''))).toMatchObject({ status: 200, text: '' })
})

test.each([
  ['other bytes of the same length', 'b large file\n', size, false],
  ['too few bytes', 'short', size, false],
  ['too many bytes', `${CONTENT}more`, size, false],
  ['too few bytes without a length', 'short', size, true],
  ['too many bytes without a length', CONTENT.repeat(100_000), size, true],
  ['a stated size that is not the one of the object', CONTENT, 5, false],
])('an upload with %s is refused and stores nothing', async (_name, sent, stated, isStream) => {
  const server = await startLfs()
  const body = Buffer.from(sent)
  const call = { body: isStream ? Readable.from([body]) : body }
  const refused = await server.lfs(`PUT gitlab-lfs/objects/${oid}/${stated}`, call)
  expect(refused.status).toBe(422)
  expect(refused.json()).toEqual({ message: expect.stringContaining('The content does not have') as string })
  await expectNothingStored(server)
})

test('a refused upload of an object does not harm the stored one', async () => {
  const server = await startLfs()
  await upload(server, CONTENT)
  await server.lfs(`PUT gitlab-lfs/objects/${oid}/${size}`, { body: Buffer.from('b large file\n') })
  expect((await download(server, oid)).text).toBe(CONTENT)
})

const WRONG_PATHS = [
  `PUT gitlab-lfs/objects/..%2F..%2F${oid}/${size}`,
  `PUT gitlab-lfs/objects/${oid.slice(1)}/${size}`,
  `PUT gitlab-lfs/objects/${oid.toUpperCase()}/${size}`,
  `PUT gitlab-lfs/objects/${oid}/-1`,
  `PUT gitlab-lfs/objects/${oid}/${'9'.repeat(16)}`,
  `PUT gitlab-lfs/objects/${oid}`,
  `POST gitlab-lfs/objects/${oid}/${size}`,
  `GET gitlab-lfs/objects/${oid}/${size}`,
  `GET gitlab-lfs/objects/..%2F..%2Fuploads%2F${oid}`,
  'GET info/lfs/objects/batch',
  'POST info/lfs/objects',
]

test.each(sampled(WRONG_PATHS, 6))('%s is not found', async (call) => {
  const server = await startLfs()
  const body = /^(PUT|POST)/.test(call) ? { body: Buffer.from(CONTENT) } : {}
  const response = await server.lfs(call, body)
  expect(response.status).toBe(404)
  expect(response.json()).toEqual({ message: 'Not Found' })
  expect(response.headers['x-error-code']).toBe('lfs_path_not_found')
  await expectNothingStored(server)
})

test('an object of another project must be uploaded again, and cannot be downloaded by its ID', async () => {
  const server = await startLfs()
  await createProject({ ...server.services, imports: NO_IMPORTS }, { name: 'other' }, server.owner)
  const project = 'ada/other'
  await upload(server, CONTENT)
  expect((await download(server, oid, { project })).status).toBe(404)
  const batch = (operation: string) =>
    server.lfs(BATCH, { project, body: { operation, objects: [{ oid, size }] } })
  expect((await batch('download')).json()).toMatchObject({ objects: [{ error: { code: 404 } }] })
  expect((await batch('upload')).json()).toMatchObject({ objects: [{ actions: { upload: {} } }] })
  await upload(server, CONTENT, { project })
  expect((await download(server, oid, { project })).text).toBe(CONTENT)
})
