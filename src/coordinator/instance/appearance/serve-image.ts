import type { FastifyReply, FastifyRequest } from 'fastify'

import { requestAddress } from '../../../lib/request-address.js'
import type { BlobStore } from '../../ci/storage/blob-store.js'
import { unlessDeleted } from '../../ci/storage/unless-deleted.js'
import type { Database } from '../../database/connect.js'
import { findAppearanceValues, type ImageKind } from '../../database/stores/appearance-store.js'
import { PICTURE_HEADERS } from '../../hosting/avatars/avatar-parameter.js'
import { imageType } from '../../hosting/avatars/image-format.js'
import { imageAddress } from './images.js'

const ADDRESS = /^\/uploads\/-\/system\/appearance\/(logo|header_logo|favicon|pwa_icon)\/1\/[^/]+$/

/**
 * Returns a handler for the addresses of the images of the instance, which everybody sees. It resolves to false if the
 * request is not for one that exists.
 */
export function appearanceImageServer({
  database,
  blobs,
}: {
  database: Database
  blobs: BlobStore
}): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return async (request, reply) => {
    const { pathname } = requestAddress(request.raw.url ?? '/')
    const kind = ADDRESS.exec(pathname)?.[1] as ImageKind | undefined
    if (!kind || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    const { [kind]: image } = await findAppearanceValues(database, kind)
    if (!image || pathname !== imageAddress(kind, image)) return false
    const etag = `"${image.key.slice(image.key.lastIndexOf('/') + 1)}"`
    reply.headers({ etag, 'cache-control': 'public, max-age=300, must-revalidate' })
    if (request.headers['if-none-match'] === etag) {
      await reply.status(304).send()
      return true
    }
    const body = await unlessDeleted(
      () => blobs.read(image.key),
      async () => (await findAppearanceValues(database, kind))[kind]?.key === image.key,
    )
    if (!body) return false
    await reply.headers({ 'content-type': imageType(image.key), ...PICTURE_HEADERS }).send(body)
    return true
  }
}
