import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = 'make: { script: [a], artifacts: { paths: [dist] } }'

async function openUpload(open: OpenDatabase, artifactsMaxBytes?: number) {
  const coordinator = await (artifactsMaxBytes
    ? startCiCoordinator({ artifactsMaxBytes }, open)
    : openCoordinator(open))
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, CI_FILE)
  const job = await runner.takeJob()
  const call = (
    method: string,
    { type = 'archive', token = job.token, offset, body, query = '' }: CallParts = {},
  ): Promise<Response> =>
    fetch(`${coordinator.url}/jobs/${job.id}/artifacts/uploads/${type}${query}`, {
      method,
      headers: {
        'job-token': token,
        ...(offset !== undefined && { 'upload-offset': String(offset) }),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
  const complete = (content: Buffer, parts: CallParts = {}) =>
    call('POST', { ...parts, body: JSON.stringify(factsOf(content)) })
  return { coordinator, runner, job, call, complete }
}

interface CallParts {
  type?: string
  token?: string
  offset?: number
  body?: string | Buffer
  query?: string
}

function factsOf(content: Buffer) {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { filename: 'artifacts.zip', size: content.length, sha256 }
}

function offsetOf(response: Response): string | null {
  return response.headers.get('upload-offset')
}

/** Sends the head of a request and some bytes of its body, and cuts the connection once they are there. */
async function sendHalf(
  { url, uploads, project }: CiCoordinator,
  job: { id: number; token: string },
  half: Buffer,
): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `PATCH ${pathname}/jobs/${job.id}/artifacts/uploads/archive HTTP/1.1\r\nHost: x\r\n` +
      `Job-Token: ${job.token}\r\nUpload-Offset: 0\r\nContent-Length: ${2 * half.length}\r\n\r\n`,
  )
  socket.write(half)
  const place = { projectId: project.id, jobId: job.id, name: 'archive' }
  await expect.poll(() => uploads.size(place), { timeout: 30_000 }).toBe(half.length)
  socket.destroy()
}

describeOnDatabase('uploads in parts', (open) => {
  test('an upload resumes where its connection was cut and gives an ordinary artifact', async () => {
    const { coordinator, runner, job, call, complete } = await openUpload(open)
    expect(job.features?.resumable_uploads).toBe(true)
    const content = randomBytes(300_000)
    await sendHalf(coordinator, job, content.subarray(0, 100_000))
    expect(offsetOf(await call('GET'))).toBe('100000')
    const rest = await call('PATCH', { offset: 100_000, body: content.subarray(100_000) })
    expect([rest.status, offsetOf(rest)]).toEqual([204, '300000'])
    expect((await complete(content, { query: '?artifact_format=zip&expire_in=1h' })).status).toBe(201)
    const download = await runner.download(job.id, job.token)
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
    expect(await coordinator.artifacts.find(job.id)).toMatchObject({
      ...factsOf(content),
      file_format: 'zip',
    })
    expect((await coordinator.artifacts.find(job.id))?.expire_at).toBeLessThan(Date.now() + 3601_000)
  })

  test('when only the last response was lost, nothing is sent again', async () => {
    const { call, complete } = await openUpload(open)
    const content = randomBytes(1000)
    await call('PATCH', { offset: 0, body: content })
    expect((await complete(content)).status).toBe(201)
    expect(offsetOf(await call('GET'))).toBe('1000')
    expect((await complete(content)).status).toBe(201)
    expect((await complete(randomBytes(1000))).status).toBe(400)
  })

  test('bytes from another offset, and bytes that are not those of the digest, are not taken', async () => {
    const { coordinator, job, call, complete } = await openUpload(open)
    const content = randomBytes(1000)
    const [early, missing] = [
      await call('PATCH', { offset: 10, body: 'x' }),
      await call('PATCH', { body: 'x' }),
    ]
    expect([early.status, offsetOf(early), missing.status]).toEqual([409, '0', 400])
    await call('PATCH', { offset: 0, body: content.subarray(0, 500) })
    const short = await complete(content)
    expect([short.status, offsetOf(short)]).toEqual([409, '500'])
    await call('PATCH', { offset: 500, body: randomBytes(500) })
    const wrong = await complete(content)
    expect([wrong.status, offsetOf(wrong)]).toEqual([409, '0'])
    expect(offsetOf(await call('GET'))).toBe('0')
    expect(await coordinator.artifacts.find(job.id)).toBeUndefined()
  })

  test('the limit of the instance holds for the whole, not for each part', async () => {
    const { call } = await openUpload(open, 1000)
    expect((await call('PATCH', { offset: 0, body: randomBytes(600) })).status).toBe(204)
    expect((await call('PATCH', { offset: 600, body: randomBytes(600) })).status).toBe(413)
    expect(offsetOf(await call('GET'))).toBe('0')
  })

  test('only the running job itself may, and only with a type that there is', async () => {
    const { runner, job, call, complete } = await openUpload(open)
    for (const method of ['GET', 'PATCH', 'POST']) {
      const body = method === 'GET' ? {} : { body: JSON.stringify(factsOf(Buffer.from('x'))), offset: 0 }
      expect((await call(method, { ...body, token: 'glcbt-other' })).status).toBe(403)
      for (const type of ['..%2F..%2F1%2F1%2Farchive', 'none', '%2Fetc']) {
        expect([400, 404]).toContain((await call(method, { ...body, type })).status)
      }
    }
    expect((await call('PATCH', { type: 'dotenv', offset: 0, body: 'A=1' })).status).toBe(413)
    await runner.update(job, 'success')
    expect((await call('PATCH', { offset: 0, body: 'late' })).status).toBe(403)
    expect((await complete(Buffer.from('late'))).status).toBe(403)
  })

  test('a part of a job that has an artifact of the type does not change it', async () => {
    const { coordinator, runner, job, call, complete } = await openUpload(open)
    expect((await runner.upload(job, 'first', { query: 'artifact_format=zip' })).status).toBe(201)
    await call('PATCH', { offset: 0, body: 'other' })
    expect((await complete(Buffer.from('other'))).status).toBe(400)
    expect(await coordinator.artifacts.find(job.id)).toMatchObject(factsOf(Buffer.from('first')))
  })
})
