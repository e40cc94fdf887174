import { posix } from 'node:path'
import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { isTreePath } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import type { BlobStore } from '../../ci/storage/blob-store.js'
import type { Database } from '../../database/connect.js'
import { clientGone } from '../../http/client-gone.js'
import { isNamedBy } from '../../http/entity-tag.js'
import { disposition } from '../../http/header-text.js'
import { type ProjectAddressDeps, projectAddressServer } from '../../http/project-address-server.js'
import { blobKey } from '../lfs/objects.js'
import { type Blob, blobBytes } from '../repositories/browse/blobs.js'
import { imageType, rawType } from '../repositories/browse/raw-type.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import type { Repositories } from '../repositories/repositories.js'
import { parseRawAddress, possibleSplits } from './raw-address.js'
import { findLfsObject } from './read-lfs.js'

export interface RawPageDeps extends ProjectAddressDeps {
  database: Database
  blobs: BlobStore
  repositories: Repositories
}

/**
 * Returns a handler for raw files outside the API, which documents embed as pictures. It resolves to true after
 * answering, and to false if there is no such file or the caller may not read the code.
 *
 * Every answer has the policy `sandbox` and `nosniff`: no file of a repository runs in the origin of the server, drawings
 * (SVG) included. Pages and scripts are sent as text.
 */
export function rawFileServer(
  deps: RawPageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return projectAddressServer(deps, {
    parse: parseRawAddress,
    scopes: ['read_repository'],
    permission: 'read_code',
    answer: async ({ address, project }, request, reply) => {
      const reading = deps.repositories.reading(project.id, clientGone(reply))
      const file = await findFile(deps, project, reading, address.refPath)
      if (!file) return false
      await send({ ...deps, project, reading }, file, request, reply)
      return true
    },
  })
}

interface FoundFile {
  name: string
  blob: Blob
}

async function findFile(
  { repositories }: RawPageDeps,
  project: Project,
  reading: Reading,
  refPath: string,
): Promise<FoundFile | undefined> {
  for (const { ref, path } of possibleSplits(refPath)) {
    const sha = isTreePath(path) ? await repositories.resolveCommit(project.id, ref) : undefined
    if (sha === undefined) continue
    const entry = await findEntry(reading, sha, path)
    return entry?.type === 'blob' ? { name: posix.basename(path), blob: entry } : undefined
  }
  return undefined
}

type SendDeps = Pick<RawPageDeps, 'database' | 'blobs'> & { project: Project; reading: Reading }

async function send(
  { database, blobs, project, reading }: SendDeps,
  { name, blob }: FoundFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const etag = `"${blob.id}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (isNamedBy(etag, request.headers['if-none-match'])) {
    await reply.status(304).send()
    return
  }
  const picture = pictureType(name)
  const large = await findLfsObject(database, project, reading, blob)
  const isShown = !large || picture !== undefined
  const type = picture ?? (large ? 'application/octet-stream' : await rawType(reading, blob, name))
  reply.type(type).headers({
    'content-length': String(large?.size ?? blob.size),
    'content-disposition': disposition(isShown ? 'inline' : 'attachment', name),
  })
  if (request.method === 'HEAD') await reply.send('')
  else if (large) await reply.send(await blobs.read(blobKey(project.id, large.oid)))
  else await reply.send(Readable.from(blobBytes(reading, blob), { objectMode: false }))
}

function pictureType(name: string): string | undefined {
  return name.toLowerCase().endsWith('.svg') ? 'image/svg+xml' : imageType(name)
}
