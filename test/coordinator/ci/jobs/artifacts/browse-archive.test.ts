import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'

import { ZipReader } from '../../../../../src/archive/zip-reader.js'
import { Artifacts } from '../../../../../src/coordinator/ci/storage/artifacts/artifacts.js'
import { openForFile } from '../../../../support/lifetime.js'
import type { Person } from '../../../support/test-app.js'
import { zipOf } from '../../../support/zip.js'
import { type LogScene, openLogScene, startLog } from '../trace/running-job.js'

const FILES = {
  'dist/index.html': '<p>',
  'dist/css/a.css': 'a{}',
  'dist/css/b.css': 'b{}',
  'dist/js/app.js': 'app()',
  'readme.md': 'read',
  folder: 'a file',
}

const scene = openForFile(openLogScene)

async function startArchive(ciFile = 'build: { script: [make] }') {
  const { coordinator, runner, reporter }: LogScene = scene()
  const { job, finish } = await startLog(scene(), ciFile)
  await runner.upload(job, await buffer(await zipOf(FILES)))
  await finish()
  const { app, project } = coordinator
  const read = (below: string, as: Person | null = reporter) =>
    app.call(as ?? undefined, `GET /projects/${project.id}/jobs/${job.id}/artifacts/${below}`)
  return { job, read }
}

test('a folder of an archive is listed with sizes', async () => {
  const { read } = await startArchive()
  expect((await read('tree')).json()).toEqual([
    { name: 'dist', path: 'dist', type: 'directory', size: 14, entries: 3 },
    { name: 'folder', path: 'folder', type: 'file', size: 6 },
    { name: 'readme.md', path: 'readme.md', type: 'file', size: 4 },
  ])
  const css = [
    { name: 'a.css', path: 'dist/css/a.css', type: 'file', size: 3 },
    { name: 'b.css', path: 'dist/css/b.css', type: 'file', size: 3 },
  ]
  expect((await read('tree?path=dist/css')).json()).toEqual(css)
  expect((await read('tree?path=dist/css/')).json()).toEqual(css)
})

test('a long folder has pages', async () => {
  const { read } = await startArchive()
  const response = await read('tree?path=dist&per_page=2&page=2')
  expect(response.json()).toMatchObject([{ name: 'index.html' }])
  expect(response.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-page': '2' })
})

test.each([
  ['tree?path=none', 404],
  ['tree?path=readme.md', 404],
  ['tree?path=../dist', 400],
  ['tree?path=/etc', 400],
  ['folder?path=none', 404],
  ['folder?path=../dist', 400],
  ['folder?path=folder', 404],
])('%s is %i', async (below, status) => {
  const { read } = await startArchive()
  expect((await read(below)).statusCode).toBe(status)
})

test('a folder is downloaded as a zip', async () => {
  const { read } = await startArchive()
  const response = await read('folder?path=dist/css')
  expect(response.headers['content-type']).toBe('application/zip')
  expect(response.headers['content-disposition']).toContain('filename="css.zip"')
  expect(await contentOf(response.rawPayload)).toEqual({ 'css/a.css': 'a{}', 'css/b.css': 'b{}' })
})

async function contentOf(zip: Buffer): Promise<Record<string, string>> {
  const reader = await ZipReader.open({
    size: zip.length,
    read: ({ start, end }) => Promise.resolve(Readable.from([zip.subarray(start, end)])),
  })
  const content: Record<string, string> = {}
  for await (const entry of reader.entries()) content[entry.name] = (await reader.read(entry)).toString()
  return content
}

test('without a path, a file with the name of the operation is sent', async () => {
  const { read } = await startArchive()
  expect((await read('folder')).body).toBe('a file')
  expect(await contentOf((await read('folder?path=')).rawPayload)).toEqual(FILES)
})

test.each(['tree', 'folder?path=dist'])('%s needs the right to read the artifacts', async (below) => {
  const { stranger, reporter, developer } = scene()
  const { read } = await startArchive(
    'build: { script: [make], artifacts: { paths: [dist], access: developer } }',
  )
  const statuses = [developer, reporter, stranger, null].map(async (as) => (await read(below, as)).statusCode)
  expect(await Promise.all(statuses)).toEqual([200, 403, 404, 404])
})

test('a job without an archive has no folders', async () => {
  const { coordinator, reporter } = scene()
  const { job } = await startLog(scene())
  const { app, project } = coordinator
  const response = await app.call(reporter, `GET /projects/${project.id}/jobs/${job.id}/artifacts/tree`)
  expect(response.statusCode).toBe(404)
})

test('an archive with too many files is refused', async () => {
  const { read } = await startArchive()
  const list = vi.spyOn(Artifacts.prototype, 'listFolder').mockResolvedValue({ kind: 'too-large' })
  onTestFinished(() => list.mockRestore())
  expect((await read('tree')).statusCode).toBe(422)
})
