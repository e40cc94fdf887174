import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import type { ReleaseRequest } from '../../../../src/protocol/release-request.js'
import { CoordinatorClient } from '../../../../src/runner/client/coordinator-client.js'
import { createRelease } from '../../../../src/runner/job/stages/create-release.js'
import { uploadingJob } from '../../artifacts/uploading-job.js'

interface Asked {
  line: string
  headers: IncomingHttpHeaders
  body: unknown
}

/** A coordinator that is asked for one release, and its response. */
async function releaseServer(status: number, result: object): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'))
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function make(wanted: ReleaseRequest, files: Record<string, string> = {}, status = 201, result = {}) {
  const { url, asked } = await releaseServer(status, result)
  const variables = [
    { key: 'VERSION', value: '1.2' },
    { key: 'CI_COMMIT_SHA', value: 'abc' },
  ]
  const { job, log } = await uploadingJob(url, { files, variables })
  const client = new CoordinatorClient({ url, token: 'glrt-runner-token', systemId: 's_0123456789ab' })
  onTestFinished(() => client.destroy())
  return { outcome: await createRelease({ ...job, client }, wanted), asked, log, job }
}

const WANTED: ReleaseRequest = {
  tag_name: 'v$VERSION',
  description: 'About ${VERSION}',
  ref: '$CI_COMMIT_SHA',
}

test('the runner creates the release of a job with the job token and expanded variables', async () => {
  const { outcome, asked, job } = await make({
    ...WANTED,
    name: 'Release $VERSION',
    tag_message: 'Tagged $VERSION',
    milestones: ['m$VERSION'],
    released_at: '2026-01-01T00:00:00Z',
    assets: { links: [{ name: 'l', url: 'https://example.com/$VERSION', link_type: 'other' }] },
  })
  expect(outcome).toEqual({ kind: 'success' })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    line: `POST /api/v4/projects/${job.payload.job_info.project_id}/releases`,
    headers: { 'job-token': job.job.token },
  })
  expect(asked[0]?.body).toEqual({
    tag_name: 'v1.2',
    description: 'About 1.2',
    ref: 'abc',
    name: 'Release 1.2',
    tag_message: 'Tagged 1.2',
    milestones: ['m1.2'],
    released_at: '2026-01-01T00:00:00Z',
    assets: { links: [{ name: 'l', url: 'https://example.com/1.2', link_type: 'other' }] },
  })
})

test.each([
  ['notes/v$VERSION.md', 'from the file\n'],
  ['./notes/v1.2.md', 'from the file\n'],
  ['notes', 'notes'],
  ['../outside', '../outside'],
  ['missing/notes.md', 'missing/notes.md'],
  ['notes/v1.2.md and more', 'notes/v1.2.md and more'],
])('the description %s is %j', async (description, expected) => {
  const { asked } = await make({ ...WANTED, description }, { 'notes/v1.2.md': 'from the file\n' })
  expect(asked[0]?.body).toMatchObject({ description: expected })
})

test('a rejected release fails the job, and the log has the reason', async () => {
  const { outcome, log } = await make(WANTED, {}, 409, { message: 'Release already exists' })
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'script_failure', exitCode: 1 })
  expect(log.text).toContain('The release of v1.2 was not created: Release already exists')
})
