import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import Docker from 'dockerode'
import { pack } from 'tar-stream'

import { deferred } from '../../../src/lib/deferred.js'
import { onFinished } from '../../support/lifetime.js'

export interface FakeRegistry {
  /** `127.0.0.1:port`; the engine takes plain HTTP there. */
  host: string
  /** Each time the engine asked what a tag stands for. */
  pulls: string[]
  /** Until called, the layers do not arrive. */
  release(): void
}

const MANIFEST_TYPE = 'application/vnd.docker.distribution.manifest.v2+json'

/** A registry with one small image under every name but `missing` and `private`; what was pulled is removed again. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const blobs = new Map<string, Buffer>()
  const manifest = await makeImage(blobs)
  const pulls: string[] = []
  const { promise: released, resolve: release } = deferred()
  const server = createServer((request, response) => {
    const { url = '', method } = request
    const blob = blobs.get(url.split('/blobs/')[1] ?? '')
    if (url === '/v2/') response.end('{}')
    else if (url.includes('/private/'))
      response.writeHead(401).end(errors('UNAUTHORIZED', 'authentication required'))
    else if (url.includes('/missing/'))
      response.writeHead(404).end(errors('MANIFEST_UNKNOWN', 'manifest unknown'))
    else if (url.includes('/manifests/')) {
      if (!url.includes('/sha256:')) pulls.push(url)
      response.writeHead(200, {
        'content-type': MANIFEST_TYPE,
        'content-length': manifest.length,
        'docker-content-digest': digestOf(manifest),
      })
      response.end(method === 'HEAD' ? undefined : manifest)
    } else if (blob) void released.then(() => response.end(blob))
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  onFinished(async () => {
    release()
    server.closeAllConnections()
    server.close()
    await removeImages(host)
  })
  return { host, pulls, release }
}

async function makeImage(blobs: Map<string, Buffer>): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: 'unique' }, randomBytes(16).toString('hex'))
  archive.finalize()
  const layer = await buffer(archive)
  const packed = gzipSync(layer)
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
      history: [{ created: '2024-01-01T00:00:00Z' }],
    }),
  )
  for (const blob of [packed, config]) blobs.set(digestOf(blob), blob)
  const describe = (mediaType: string, blob: Buffer) => ({
    mediaType,
    size: blob.length,
    digest: digestOf(blob),
  })
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST_TYPE,
      config: describe('application/vnd.docker.container.image.v1+json', config),
      layers: [describe('application/vnd.docker.image.rootfs.diff.tar.gzip', packed)],
    }),
  )
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function errors(code: string, message: string): string {
  return JSON.stringify({ errors: [{ code, message }] })
}

async function removeImages(host: string): Promise<void> {
  const docker = new Docker()
  const images = await docker.listImages({ filters: { reference: [`${host}/*`] } })
  await Promise.all(images.map(({ Id: id }) => docker.getImage(id).remove({ force: true })))
}
