import { expect, test } from 'vitest'

import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import { sampled } from '../../../support/nightly.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { addMember, addRunningJob } from '../repositories/git-server.js'
import { BATCH, download, lfsForFile, objectOf, upload } from './lfs-client.js'

const startLfs = lfsForFile()

const CONTENT = 'a large file\n'
const OBJECT = objectOf(CONTENT)
const MISSING = objectOf('another file')
const wanted = (operation: string, ...objects: object[]) => ({ operation, transfers: ['basic'], objects })

test('a batch says where to upload what the project lacks, with the credentials of the request', async () => {
  const server = await startLfs()
  const batch = await server.lfs(BATCH, { body: wanted('upload', OBJECT) })
  expect(batch.status).toBe(200)
  expect(batch.headers['content-type']).toContain('application/vnd.git-lfs+json')
  expect(batch.headers['cache-control']).toBe('no-store')
  const authorization = `Basic ${Buffer.from(`any:${server.ownerToken}`).toString('base64')}`
  const base = `${server.services.engine.server.externalUrl}/ada/app.git/gitlab-lfs/objects`
  const header = { 'Content-Type': 'application/octet-stream', Authorization: authorization }
  expect(batch.json()).toEqual({
    transfer: 'basic',
    hash_algo: 'sha256',
    objects: [
      {
        ...OBJECT,
        authenticated: true,
        actions: { upload: { href: `${base}/${OBJECT.oid}/${OBJECT.size}`, header } },
      },
    ],
  })
  expect((await upload(server, CONTENT)).status).toBe(200)
  expect((await server.lfs(BATCH, { body: wanted('upload', OBJECT) })).json()).toMatchObject({
    objects: [OBJECT],
  })
  const down = await server.lfs(BATCH, { body: wanted('download', OBJECT, MISSING) })
  expect(down.json()['objects']).toEqual([
    {
      ...OBJECT,
      authenticated: true,
      actions: { download: { href: `${base}/${OBJECT.oid}`, header: { Authorization: authorization } } },
    },
    { ...MISSING, error: { code: 404, message: 'The object does not exist in this project.' } },
  ])
  const wrongSize = { ...OBJECT, size: OBJECT.size + 1 }
  expect((await server.lfs(BATCH, { body: wanted('upload', wrongSize) })).json()['objects']).toEqual([
    { ...wrongSize, error: { code: 422, message: `The object has ${OBJECT.size} bytes.` } },
  ])
})

const REFUSED: [number, object][] = [
  [413, wanted('download', ...Array.from({ length: 1001 }, () => OBJECT))],
  [413, wanted('download', ...Array.from({ length: 10_000 }, () => OBJECT))],
  [409, { ...wanted('download', OBJECT), hash_algo: 'sha1' }],
  [422, wanted('delete', OBJECT)],
  [422, { operation: 'download' }],
  [422, wanted('download', { oid: `../${OBJECT.oid}`, size: 1 })],
  [422, wanted('download', { oid: OBJECT.oid.toUpperCase(), size: 1 })],
  [422, wanted('upload', { oid: OBJECT.oid, size: -1 })],
  [422, wanted('upload', { oid: OBJECT.oid, size: 1e20 })],
  [422, wanted('upload', { oid: OBJECT.oid, size: 0.5 })],
  [422, Buffer.from('not json')],
  [422, Buffer.from('[]')],
]

test.each(sampled(REFUSED, 6))(
  'a batch is refused with %i when it cannot be served: %#',
  async (status, body) => {
    const server = await startLfs()
    const refused = await server.lfs(BATCH, { body })
    expect(refused.status).toBe(status)
    expect(refused.json()).toEqual({ message: expect.stringMatching(/./) as string })
  },
)

test.each([
  [0, 404, 404],
  [10, 403, 403],
  [20, 200, 403],
  [30, 200, 200],
])('a member of level %i: download %i, upload %i', async (level, mayDownload, mayUpload) => {
  const server = await startLfs()
  await upload(server, CONTENT)
  const token = await addMember(server, 'eve', level)
  const ask = async (operation: string) =>
    (await server.lfs(BATCH, { token, body: wanted(operation, OBJECT) })).status
  expect(await ask('download')).toBe(mayDownload)
  expect(await ask('upload')).toBe(mayUpload)
  expect((await download(server, OBJECT.oid, { token })).status).toBe(mayDownload)
  expect((await upload(server, 'new', { token })).status).toBe(mayUpload)
})

test('no credentials are asked for those that git-lfs understands', async () => {
  const server = await startLfs()
  const refused = await server.lfs(BATCH, { token: null, body: wanted('download', OBJECT) })
  expect(refused.status).toBe(401)
  expect(refused.headers['lfs-authenticate']).toMatch(/^Basic realm=/)
  await server.database.updateTable('project').set({ visibility: 'public' }).execute()
  expect((await server.lfs(BATCH, { token: null, body: wanted('download', OBJECT) })).status).toBe(200)
  expect((await server.lfs(BATCH, { token: null, body: wanted('upload', OBJECT) })).status).toBe(401)
  expect((await upload(server, CONTENT, { token: null })).status).toBe(401)
})

test('a job token downloads and does not upload', async () => {
  const server = await startLfs()
  await upload(server, CONTENT)
  const token = await addRunningJob(server, server.project)
  expect((await download(server, OBJECT.oid, { token })).text).toBe(CONTENT)
  expect((await server.lfs(BATCH, { token, body: wanted('upload', OBJECT) })).status).toBe(403)
  expect((await upload(server, 'new', { token })).status).toBe(403)
})

test('an archived project is downloaded from and not uploaded to', async () => {
  const server = await startLfs()
  await upload(server, CONTENT)
  await server.database.updateTable('project').set({ archived: true }).execute()
  expect((await download(server, OBJECT.oid)).status).toBe(200)
  expect((await upload(server, 'new')).status).toBe(403)
})

test('a project with lfs_enabled off has no Git LFS', async () => {
  const server = await startLfs()
  await upload(server, CONTENT)
  await server.database.updateTable('project').set({ lfs_enabled: false }).execute()
  const message = 'Git LFS is not enabled for this project.'
  const refused = await server.lfs(BATCH, { body: wanted('download', OBJECT) })
  expect(refused.status).toBe(501)
  expect(refused.json()).toEqual({ message })
  expect((await download(server, OBJECT.oid)).status).toBe(501)
  expect((await upload(server, CONTENT)).status).toBe(501)
})

test('requests to the former path of a project are redirected with their method', async () => {
  const server = await startLfs()
  const values = { path: 'ada/old', project_id: server.project.id, created_at: 0 }
  await server.database.insertInto('old_path').values(values).execute()
  const moved = await server.lfs(BATCH, { project: 'ada/old', body: wanted('download', OBJECT) })
  expect(moved.status).toBe(307)
  expect(moved.headers['location']).toBe('/ada/app.git/info/lfs/objects/batch')
})

test('a new project stores Git LFS objects if its namespace does', async () => {
  const { services, database, owner, project } = await startLfs()
  expect(project.lfs_enabled).toBe(true)
  await database.updateTable('namespace').set({ lfs_enabled: false }).execute()
  const deps = { ...services, imports: NO_IMPORTS }
  expect(await createProject(deps, { name: 'other' }, owner)).toMatchObject({ lfs_enabled: false })
  const chosen = await createProject(deps, { name: 'third', lfs_enabled: true }, owner)
  expect(chosen.lfs_enabled).toBe(true)
})
