import type { FastifyReply, FastifyRequest } from 'fastify'

import { sendBytes } from '../../ci/jobs/send-bytes.js'
import { expectedDownloadUrl } from '../../ci/storage/read-expected.js'
import { ApiError } from '../../http/errors.js'
import { lfsError } from './lfs-error.js'
import {
  blobKey,
  type LfsObjectDeps,
  objectsByOid,
  readLfsObject,
  type StatedObject,
  storeObject,
  wrongSize,
} from './objects.js'
import { bytesOf } from './read-body.js'

/** Sends an object of the project, or a part of it. */
export async function sendObject(
  { database, blobs }: LfsObjectDeps,
  projectId: number,
  oid: string,
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const found = (await objectsByOid(database, projectId, [oid])).get(oid)
  if (!found) throw lfsError('lfs_object_missing')
  const response = await sendBytes(
    {
      size: found.size,
      contentType: 'application/octet-stream',
      etag: `"${oid}"`,
      // Browsers must not show what users have uploaded.
      headers: {
        'content-disposition': 'attachment',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-cache',
      },
      open: (range) => readLfsObject(blobs, found, range),
      ...(method === 'GET' && {
        directUrl: (ofDownload) => expectedDownloadUrl(blobs, blobKey(projectId, oid), found, ofDownload),
      }),
    },
    headers,
  ).catch((error: unknown) => {
    const isRange = error instanceof ApiError && error.code === 'range_not_satisfiable'
    throw isRange ? lfsError('lfs_range_not_satisfiable') : error
  })
  await reply.status(response.status).headers(response.headers).type(response.contentType).send(response.body)
}

/** Stores the body of an upload. */
export async function receiveObject(
  deps: LfsObjectDeps,
  projectId: number,
  stated: StatedObject,
  { raw }: FastifyRequest,
): Promise<void> {
  const length = raw.headers['content-length']
  if (length !== undefined && Number(length) !== stated.size) throw wrongSize(stated.size)
  await storeObject(deps, projectId, stated, bytesOf(raw))
}
