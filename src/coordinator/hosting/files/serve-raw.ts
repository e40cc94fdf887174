import { posix } from 'node:path'
import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { isTreePath } from '../../../git/names.js'
import { may, type ProjectAccess } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { BlobStore } from '../../ci/storage/blob-store.js'
import type { Database } from '../../database/connect.js'
import type { Authenticator } from '../../http/authentication/authenticator.js'
import { createCallerReader } from '../../http/authentication/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { isNamedBy } from '../../http/entity-tag.js'
import { accessIn } from '../../http/handle-operation.js'
import { disposition } from '../../http/header-text.js'
import type { RateLimits } from '../../http/rate-limits/rate-limits.js'
import { viewerOf } from '../../http/viewer.js'
import { blobKey } from '../lfs/objects.js'
import { type Blob, blobBytes } from '../repositories/browse/blobs.js'
import { imageType, rawType } from '../repositories/browse/raw-type.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import type { Repositories } from '../repositories/repositories.js'
import { parseRawAddress, possibleSplits } from './raw-address.js'
import { findLfsObject } from './read-lfs.js'

export interface RawPageDeps {
  database: Database
  blobs: BlobStore
  repositories: Repositories
  authenticator: Authenticator
  rateLimits: RateLimits
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
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
  const readCaller = createCallerReader(deps, {
    method: 'GET',
    jobToken: false,
    open: true,
    session: 'page',
    scopes: ['read_repository'],
  })
  return async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const address = isRead ? parseRawAddress(request.raw.url ?? '/') : undefined
    if (!address) return false
    const caller = await readCaller(request, request.query as Record<string, unknown>)
    const project = await deps.findProject(address.project)
    const user = viewerOf(caller)
    if (!project || !may('read_code', { project, ...(await accessIn(deps, user, project)) })) return false
    const reading = deps.repositories.reading(project.id, clientGone(reply))
    const file = await findFile(deps, project, reading, address.refPath)
    if (!file) return false
    await send({ ...deps, project, reading }, file, request, reply)
    return true
  }
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
