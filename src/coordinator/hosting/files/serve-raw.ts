import { posix } from 'node:path'
import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { isTreePath } from '../../../git/names.js'
import { bytesBetween } from '../../../lib/bytes-between.js'
import type { Project } from '../../access/caller.js'
import { sendBytes } from '../../ci/jobs/send-bytes.js'
import type { BlobStore, ByteRange } from '../../ci/storage/blob-store.js'
import type { Database } from '../../database/connect.js'
import { disposition } from '../../http/header-text.js'
import { type ProjectAddressDeps, projectAddressServer } from '../../http/project-address-server.js'
import { sendStream } from '../../http/send.js'
import { shownHeaders, shownType } from '../../http/shown-types.js'
import { readLfsObject } from '../lfs/objects.js'
import { type Blob, blobBytes } from '../repositories/browse/blobs.js'
import { rawType } from '../repositories/browse/raw-type.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import { readingFor } from '../repositories/reading-for.js'
import type { Repositories } from '../repositories/repositories.js'
import { parseRawAddress, possibleSplits } from './raw-address.js'
import { findLfsObject } from './read-lfs.js'

export interface RawPageDeps extends ProjectAddressDeps {
  database: Database
  blobs: BlobStore
  repositories: Repositories
}

/**
 * Returns a handler for raw files outside the API, which documents embed as pictures, and pages as videos, sounds and
 * PDFs. It resolves to true after responding, and to false if there is no such file or the caller may not read the code.
 *
 * Every response has `nosniff` and a policy without scripts: no file of a repository runs in the origin of the server,
 * drawings (SVG) included. Pages and scripts are sent as text.
 */
export function rawFileServer(
  deps: RawPageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return projectAddressServer(deps, {
    parse: parseRawAddress,
    scopes: ['read_repository'],
    permission: 'read_code',
    respond: async ({ address, project }, request, reply) => {
      const reading = readingFor(deps, { project, reply })
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
  const large = await findLfsObject(database, project, reading, blob)
  const shown = typeInPage(name)
  const contentType = shown ?? (large ? 'application/octet-stream' : await rawType(reading, blob, name))
  const bytes = {
    size: large?.size ?? blob.size,
    contentType,
    etag,
    headers: {
      'cache-control': 'private, no-cache',
      'content-disposition': disposition(large && shown === undefined ? 'attachment' : 'inline', name),
      ...shownHeaders(contentType),
    },
    // Players read the parts of a video that they need; git sends a file from its beginning.
    open: async (range: ByteRange) =>
      large
        ? readLfsObject(blobs, large, range)
        : bytesBetween(Readable.from(blobBytes(reading, blob), { objectMode: false }), range),
  }
  await sendStream(await sendBytes(bytes, request.headers), reply)
}

function typeInPage(name: string): string | undefined {
  return name.toLowerCase().endsWith('.svg') ? 'image/svg+xml' : shownType(name)
}
