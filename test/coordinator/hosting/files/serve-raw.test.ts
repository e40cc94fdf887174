import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { addRepositoryMember, openRepositoryApi, seedCommit } from '../../support/repository-api.js'
import { addPerson, type Person } from '../../support/test-app.js'

const api = openForFile(openRepositoryApi)

let people = 0

async function addReaders() {
  people += 1
  return {
    reporter: await addRepositoryMember(api(), `reporter-${people}`, 20),
    stranger: await addPerson(api().database, `stranger-${people}`),
  }
}

function readAs(as: Person | undefined, path: string, headers: Record<string, string> = {}) {
  return api().app.app.inject({
    method: 'GET',
    url: `/ada/app/-/${path}`,
    headers: { ...(as && { 'private-token': as.token }), ...headers },
  })
}

test('a file of the repository is found below a ref with slashes', async () => {
  const { reporter, stranger } = await addReaders()
  await seedCommit(api(), { 'img/a.png': 'first' }, { branch: 'feature/x' })
  const file = await readAs(reporter, 'raw/feature/x/img/a.png?inline=true')
  expect([file.statusCode, file.body]).toEqual([200, 'first'])
  expect(file.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': expect.stringMatching(/^inline/) as string,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const etag = String(file.headers['etag'])
  const again = await readAs(reporter, 'raw/feature/x/img/a.png', { 'if-none-match': etag })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  for (const missing of ['raw/feature/x/img', 'raw/feature/x/none.png', 'raw/none/a.png', 'raw/feature/x'])
    expect((await readAs(reporter, missing)).statusCode, missing).toBe(404)
  for (const as of [stranger, undefined])
    expect((await readAs(as, 'raw/feature/x/img/a.png')).statusCode).toBe(404)
})

test('a player reads parts of a sound, and a frame of a page shows a PDF', async () => {
  const { reporter } = await addReaders()
  await seedCommit(api(), { 'a.wav': '0123456789', 'b.PDF': '%PDF-1.4' }, { branch: 'media' })
  const whole = await readAs(reporter, 'raw/media/a.wav')
  expect([whole.body, whole.headers['content-type'], whole.headers['accept-ranges']]).toEqual([
    '0123456789',
    'audio/wav',
    'bytes',
  ])
  for (const [range, part] of [
    ['bytes=0-2', '012'],
    ['bytes=4-6', '456'],
    ['bytes=-2', '89'],
  ]) {
    const sent = await readAs(reporter, 'raw/media/a.wav', { range: range! })
    expect([sent.statusCode, sent.body], range).toEqual([206, part])
  }
  expect((await readAs(reporter, 'raw/media/a.wav', { range: 'bytes=10-' })).statusCode).toBe(416)
  const pdf = await readAs(reporter, 'raw/media/b.PDF')
  expect(pdf.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^inline/) as string,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  })
})

test('a picture in Git LFS has the content of its object', async () => {
  const { reporter } = await addReaders()
  const { blobs, database, project } = api()
  const oid = createHash('sha256').update('picture').digest('hex')
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 7\n`
  await blobs.write(`projects/${project.id}/lfs/${oid}`, Readable.from(['picture']))
  await database
    .insertInto('lfs_object')
    .values({ project_id: project.id, oid, size: 7, created_at: 0 })
    .execute()
  await seedCommit(api(), { 'big.png': pointer, 'big.bin': pointer }, { branch: 'large' })
  const picture = await readAs(reporter, 'raw/large/big.png')
  expect([picture.body, picture.headers['content-type']]).toEqual(['picture', 'image/png'])
  expect((await readAs(reporter, 'raw/large/big.png', { range: 'bytes=2-3' })).body).toBe('ct')
  const other = await readAs(reporter, 'raw/large/big.bin')
  expect(other.body).toBe('picture')
  expect(other.headers['content-disposition']).toMatch(/^attachment/)
})
