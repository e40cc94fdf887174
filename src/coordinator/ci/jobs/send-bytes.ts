import { Readable } from 'node:stream'

import { isNamedBy } from '../../http/entity-tag.js'
import { apiError } from '../../http/errors.js'
import { StreamResponse } from '../../http/operation.js'
import type { Artifact, Artifacts } from '../storage/artifacts/artifacts.js'
import type { ByteRange, DownloadHeaders } from '../storage/blob-store.js'
import { readByteRange } from './byte-range.js'

/** Bytes of a known size that can be read from anywhere. */
export interface RangedBytes {
  size: number
  contentType: string
  /** Quoted, as in the header; changes with the bytes. Left out for files that still grow. */
  etag?: string | undefined
  headers: Record<string, string>
  open: (range: ByteRange) => Promise<Readable>
  /** An address at which the store sends the bytes itself. Undefined if it has none, or the client asked for none. */
  directUrl?: (headers: DownloadHeaders) => Promise<string | undefined>
}

/** Request headers that select a range and state conditions. */
export interface AskedBytes {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
  'if-none-match'?: string | undefined
}

/**
 * Returns 200 with all bytes, or 206 with the requested range. Returns 416 for a range that does not exist,
 * and 304 if the client already has the bytes (API, A9). Returns 302 if the store sends the bytes.
 */
export async function sendBytes(bytes: RangedBytes, asked: AskedBytes): Promise<StreamResponse> {
  const { size, contentType, etag, open } = bytes
  const headers = { ...bytes.headers, ...(etag !== undefined && { etag }), 'accept-ranges': 'bytes' }
  if (etag !== undefined && isNamedBy(etag, asked['if-none-match'])) {
    return new StreamResponse(Readable.from([]), contentType, headers, 304)
  }
  const disposition = bytes.headers['content-disposition'] ?? 'attachment'
  const location = await bytes.directUrl?.({ contentType, contentDisposition: disposition })
  if (location !== undefined) {
    const ofRedirect = { ...bytes.headers, 'cache-control': 'no-store', 'content-length': '0', location }
    return new StreamResponse(Readable.from([]), contentType, ofRedirect, 302)
  }
  const requested = readByteRange(rangeOf(asked, etag), size)
  switch (requested.kind) {
    case 'whole':
      // Bounded, because a log may grow after its size was read.
      return new StreamResponse(
        size === 0 ? Readable.from([]) : await open({ start: 0, end: size - 1 }),
        contentType,
        { ...headers, 'content-length': String(size) },
      )
    case 'unsatisfiable':
      throw apiError('range_not_satisfiable', {}, { headers: { 'content-range': `bytes */${size}` } })
    case 'part': {
      const { start, end } = requested.range
      const part = {
        ...headers,
        'content-length': String(end - start + 1),
        'content-range': `bytes ${start}-${end}/${size}`,
      }
      return new StreamResponse(await open(requested.range), contentType, part, 206)
    }
  }
}

/**
 * With `If-Range`, the range applies only to bytes with this entity tag. Other bytes, or bytes without a tag,
 * are sent in full (RFC 9110, 13.1.5).
 */
function rangeOf(asked: AskedBytes, etag: string | undefined): string | undefined {
  const condition = asked['if-range']
  return condition === undefined || condition === etag ? asked.range : undefined
}

/** The whole file of an artifact, as a download. */
export function sendArtifact(
  artifacts: Artifacts,
  artifact: Artifact,
  asked: AskedBytes,
  { mayRedirect }: { mayRedirect: boolean },
): Promise<StreamResponse> {
  return sendBytes(
    {
      size: artifact.size,
      contentType: 'application/octet-stream',
      etag: `"${artifact.sha256}"`,
      headers: {
        'content-disposition': attachment(artifact.filename),
        'content-transfer-encoding': 'binary',
        'cache-control': 'no-store',
      },
      open: (range) => artifacts.open(artifact, range),
      ...(mayRedirect && { directUrl: (headers) => artifacts.downloadUrl(artifact, headers) }),
    },
    asked,
  )
}

/** Sends the name twice: without unsafe characters for old clients, and in full. */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
