import type { FastifyReply, FastifyRequest } from 'fastify'

import { clientGone } from '../../../../http/client-gone.js'
import type { StreamResponse } from '../../../../http/operation.js'
import type { Artifacts, ZipRow } from '../../../storage/artifacts/artifacts.js'
import { sendUnpacked, tagOfEntry } from '../artifact-downloads.js'
import { webTypeOf } from './web-type.js'

/** What an address of a web server means in an archive. */
export type WebFile =
  | { kind: 'file'; /** In the archive. */ path: string }
  /** A folder with an `index.html`, whose address must end with a slash for its relative links to work. */
  | { kind: 'folder' }
  | { kind: 'missing' }

const INDEX = 'index.html'

/** @param path below the root, decoded; a folder ends with a slash, or is empty */
export async function findWebFile(
  artifacts: Artifacts,
  archive: ZipRow,
  path: string,
  signal: AbortSignal,
): Promise<WebFile> {
  const isFolder = path === '' || path.endsWith('/')
  const file = isFolder ? path + INDEX : path
  if (await artifacts.hasEntry(archive, file, signal)) return { kind: 'file', path: file }
  if (!isFolder && (await artifacts.hasEntry(archive, `${path}/${INDEX}`, signal))) return { kind: 'folder' }
  return { kind: 'missing' }
}

interface WebFileRequest {
  request: FastifyRequest
  reply: FastifyReply
  headers: Readonly<Record<string, string>>
  /** The file with the bytes, if they are a packed form of the named one. */
  packed?: string
}

/** A file that `findWebFile` has found, or the requested range of it. Undefined if its bytes cannot be unpacked. */
export async function sendWebFile(
  artifacts: Artifacts,
  archive: ZipRow,
  path: string,
  { request, reply, headers, packed = path }: WebFileRequest,
): Promise<StreamResponse | undefined> {
  const found = await artifacts.openEntry(archive, packed, clientGone(reply))
  if (found.kind !== 'found') return undefined
  const facts = { contentType: webTypeOf(path), etag: tagOfEntry(archive, packed), headers: { ...headers } }
  return sendUnpacked(found.entry, facts, request.headers)
}
