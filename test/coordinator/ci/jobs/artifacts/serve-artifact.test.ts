import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { openForFile } from '../../../../support/lifetime.js'
import type { Person } from '../../../support/test-app.js'
import { zipOf } from '../../../support/zip.js'
import { type LogScene, openLogScene, startLog } from '../trace/running-job.js'

const scene = openForFile(openLogScene)

function readAs(as: Person | undefined, path: string, headers: Record<string, string> = {}) {
  const { app, project } = scene().coordinator
  return app.app.inject({
    method: 'GET',
    url: `/${project.full_path}/-/${path}`,
    headers: { ...(as && { 'private-token': as.token }), ...headers },
  })
}

async function startArchive(ciFile?: string) {
  const { runner }: LogScene = scene()
  const { job, finish } = await startLog(scene(), ciFile)
  await runner.upload(
    job,
    await buffer(await zipOf({ 'dist/a b.txt': 'text', tree: 'a file', 'a.pdf': '%PDF-', 'a.html': 'page' })),
  )
  await finish()
  return job
}

const ACCESS = 'build: { script: [make], artifacts: { paths: [dist], access: developer } }'
const BROWSER = { accept: 'text/html,*/*;q=0.8' }

test('artifacts are downloads for those who may read them', async () => {
  const { reporter, stranger } = scene()
  const job = await startArchive()
  const file = await readAs(reporter, `jobs/${job.id}/artifacts/raw/dist/a%20b.txt`)
  expect([file.statusCode, file.body]).toEqual([200, 'text'])
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="a b.txt"/)
  // The API has an operation of this name.
  expect((await readAs(reporter, `jobs/${job.id}/artifacts/raw/tree`)).body).toBe('a file')
  const part = await readAs(reporter, `jobs/${job.id}/artifacts/raw/tree`, { range: 'bytes=2-' })
  expect([part.statusCode, part.body]).toEqual([206, 'file'])
  const archive = await readAs(reporter, `jobs/${job.id}/artifacts/download`)
  expect([archive.statusCode, archive.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  for (const as of [stranger, undefined])
    expect((await readAs(as, `jobs/${job.id}/artifacts/download`)).statusCode).toBe(404)
  for (const missing of ['999/artifacts/download', `${job.id}/artifacts/raw/none`])
    expect((await readAs(reporter, `jobs/${missing}`)).statusCode).toBe(404)
})

test('a file that browsers show by themselves is sent for that when it is asked for so', async () => {
  const { reporter } = scene()
  const job = await startArchive()
  const read = async (path: string) => {
    const { headers } = await readAs(reporter, `jobs/${job.id}/artifacts/raw/${path}`)
    return [String(headers['content-disposition']).split(';')[0], headers['content-security-policy']]
  }
  const sandbox = "default-src 'none'; sandbox"
  expect(await read('a.pdf?inline=true')).toEqual([
    'inline',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  ])
  for (const path of ['a.pdf', 'a.pdf?inline=false', 'a.html?inline=true', 'tree?inline=true'])
    expect(await read(path), path).toEqual(['attachment', sandbox])
})

test('a browser is led to the page that says why there is no download', async () => {
  const { reporter, developer } = scene()
  const { id } = await startArchive(ACCESS)
  const address = `jobs/${id}/artifacts/raw/dist/a%20b.txt`
  expect((await readAs(developer, address, BROWSER)).body).toBe('text')
  expect((await readAs(reporter, address)).statusCode).toBe(404)
  const led = await readAs(reporter, address, BROWSER)
  const { project } = scene().coordinator
  expect([led.statusCode, led.headers['location']]).toEqual([
    302,
    `/${project.full_path}/-/jobs/${id}/artifacts/browse`,
  ])
})
