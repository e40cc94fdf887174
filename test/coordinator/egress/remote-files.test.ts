import type { RequestListener } from 'node:http'

import { describe, expect, onTestFinished, test } from 'vitest'

import { EgressClient } from '../../../src/coordinator/egress/egress-client.js'
import { RemoteFiles } from '../../../src/coordinator/egress/remote-files.js'
import { deferred } from '../../../src/lib/deferred.js'
import { webServer } from './web-server.js'

async function remoteFiles(body: RequestListener, timeout = 5000) {
  const server = await webServer(body)
  const client = new EgressClient({ allowLocalNetwork: true })
  onTestFinished(() => client.close())
  return { ...server, files: new RemoteFiles(client, { delay: 1, timeout }) }
}

const status =
  (code: number): RequestListener =>
  (_, response) =>
    response.writeHead(code).end()

describe('a remote file', () => {
  test('is fetched as it is', async () => {
    const { files, url } = await remoteFiles((_, response) => response.end('a: b'))
    expect(await files.fetch(url)).toEqual({ kind: 'text', text: Buffer.from('a: b') })
  })

  test('is tried again when the server is broken', async () => {
    let left = 2
    const { files, url } = await remoteFiles((_, response) =>
      response.writeHead(left-- > 0 ? 503 : 200).end('x'),
    )
    expect(await files.fetch(url)).toMatchObject({ kind: 'text' })
  })

  test.each<[string, RequestListener, string, number]>([
    ['is missing', status(404), 'after 1 attempt because of HTTP code `404` error', 1],
    ['is broken', status(500), 'after 3 attempts because of HTTP code `500` error', 3],
    ['breaks off', (request) => request.socket.destroy(), 'after 3 attempts because of a socket error', 3],
    [
      'is too large',
      (_, response) => response.end('x'.repeat(3_000_000)),
      'because the response is larger than 2097152 bytes',
      1,
    ],
    [
      'is no HTTP',
      (request) => request.socket.end('nonsense\r\n\r\n'),
      'after 3 attempts because of HTTP error',
      3,
    ],
  ])('that %s is given up', async (_, body, reason, attempts) => {
    const { files, url, asked } = await remoteFiles(body)
    expect(await files.fetch(url)).toEqual({ kind: 'failed', reason })
    expect(asked).toHaveLength(attempts)
  })

  test('that never comes is given up', async () => {
    const { files, url } = await remoteFiles(() => undefined, 50)
    expect(await files.fetch(url)).toEqual({
      kind: 'failed',
      reason: 'after 3 attempts because of a timeout error',
    })
  })

  test('is not asked for inside the local network', async () => {
    const client = new EgressClient({ allowLocalNetwork: false })
    const { url, asked } = await webServer((_, response) => response.end('x'))
    expect(await new RemoteFiles(client).fetch(url)).toMatchObject({
      kind: 'failed',
      reason: 'because 127.0.0.1 is an address of the local network, and requests to it are not allowed',
    })
    expect(asked).toEqual([])
  })

  test('is cached only for callers that accept an older one', async () => {
    const { files, url, asked } = await remoteFiles((_, response) => response.end('x'))
    await files.fetch(url)
    await files.fetch(url, 3600)
    expect(asked).toHaveLength(2)
    await files.fetch(url, 3600)
    expect(asked).toHaveLength(2)
    await files.fetch(url)
    expect(asked).toHaveLength(3)
  })

  test('that never comes is not waited for by a coordinator that stops, nor taken for missing', async () => {
    const asked = deferred()
    const { files, url } = await remoteFiles(() => asked.resolve(), 60_000)
    const fetched = files.fetch(url)
    await asked.promise
    files.stop()
    await expect(fetched).rejects.toThrow('The coordinator is stopping')
    await expect(files.fetch(url)).rejects.toThrow('The coordinator is stopping')
  })
})
