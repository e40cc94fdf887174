import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'

import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'

import { readBody } from '../../../src/coordinator/ci/jobs/artifacts/read-body.js'
import { readUpload } from '../../../src/coordinator/ci/jobs/artifacts/read-upload.js'
import type { BodyRate } from '../../../src/coordinator/http/body-limits/body-rate.js'
import { NoBody, operation, respond } from '../../../src/coordinator/http/operation.js'
import { FileParameter } from '../../../src/coordinator/http/parameters/types.js'
import { openApp } from '../../coordinator/support/test-app.js'
import { openSqlite } from '../../support/databases.js'
import { sampled } from '../../support/nightly.js'

const MULTIPART = 'multipart/form-data; boundary=b'
const HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n'
const END = '\r\n--b--\r\n'

const operations = [
  operation('POST /form', {
    summary: 'A file of a form',
    access: 'anyone',
    params: Type.Object({ file: FileParameter({ maxBytes: 1024 * 1024 }) }),
    responses: { 204: NoBody },
    run: async () => respond(204),
  }),
  operation('POST /upload', {
    summary: 'A file of a job',
    access: 'anyone',
    body: 'stream',
    responses: { 204: NoBody },
    run: async ({ request }) => {
      await readUpload(request.raw, (_name, body) => text(body))
      return respond(204)
    },
  }),
  operation('POST /bytes', {
    summary: 'Bytes of a job',
    access: 'anyone',
    body: 'stream',
    responses: { 204: NoBody },
    run: async ({ request }) => {
      await readBody(request.raw, (body) => text(body))
      return respond(204)
    },
  }),
  operation('POST /late', {
    summary: 'Bytes that are read later',
    access: 'anyone',
    body: 'stream',
    responses: { 204: NoBody },
    run: async ({ request }) => {
      await windows(LATE)
      await readBody(request.raw, (body) => text(body))
      return respond(204)
    },
  }),
]

const LATE: BodyRate = { bytes: 1024, seconds: 0.2 }

/** Waits for some windows: no event shows that none of them has cut the body off. */
function windows({ seconds }: BodyRate): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2.5 * seconds * 1000))
}

interface SlowUpload {
  end: (rest: string) => void
  served: Promise<{ status: number | undefined; connection: string | undefined }>
}

/** Begins a body of this kind, and sends `piece` of it again and again until there is a response. */
async function sending(
  path: string,
  { piece, every, rate }: { piece: string; every: number; rate: BodyRate },
): Promise<SlowUpload> {
  const { app } = openApp((await openSqlite()).database, operations, { bodyRate: rate })
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const headers = { 'content-type': path === '/bytes' ? 'application/octet-stream' : MULTIPART }
  const request = httpRequest({ hostname, port, method: 'POST', path: `/api/v4${path}`, headers })
  const dripping = setInterval(() => request.write(piece), every)
  onTestFinished(() => {
    clearInterval(dripping)
    request.destroy()
  })
  const served = new Promise<Awaited<SlowUpload['served']>>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      clearInterval(dripping)
      response.resume()
      response.on('close', () =>
        resolve({ status: response.statusCode, connection: response.headers.connection }),
      )
    })
  })
  request.write(HEAD)
  const end = (rest: string): void => {
    clearInterval(dripping)
    request.end(rest)
  }
  return { end, served }
}

test.each(['/form', '/upload', '/bytes'])(
  'a body that drips gets 408, and the connection ends: %s',
  async (path) => {
    const rate = { bytes: 1024, seconds: 0.1 }
    const { served } = await sending(path, { piece: '.', every: 20, rate })
    expect(await served).toEqual({ status: 408, connection: 'close' })
  },
)

test.each(sampled(['/upload', '/form'], 1))(
  'a body that comes slowly, yet as fast as it must, is taken however long it lasts: %s',
  async (path) => {
    const rate = { bytes: 256, seconds: 0.5 }
    const { end, served } = await sending(path, { piece: '.'.repeat(256), every: 20, rate })
    await windows(rate)
    end(END)
    expect((await served).status).toBe(204)
  },
)

test('a body that waits for us is not too slow', async () => {
  const { end, served } = await sending('/late', { piece: '', every: 60_000, rate: LATE })
  end('.'.repeat(1024 * 1024))
  expect((await served).status).toBe(204)
})
