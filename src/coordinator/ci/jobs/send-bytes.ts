import { Readable } from 'node:stream'

import { isNamedBy } from '../../http/entity-tag.js'
import { ApiError } from '../../http/errors.js'
import { StreamAnswer } from '../../http/operation.js'
import type { Artifact, Artifacts } from '../storage/artifacts/artifacts.js'
import type { ByteRange } from '../storage/blob-store.js'
import { readByteRange } from './byte-range.js'

/** Bytes of a known size that can be read from anywhere. */
export interface RangedBytes {
  size: number
  contentType: string
  /** Quoted, as it stands in headers: other bytes have another one. Left out for what still grows. */
  etag?: string | undefined
  headers: Record<string, string>
  open: (range: ByteRange) => Promise<Readable>
}

/** Headers of a request that say which of the bytes are wanted, and when. */
export interface AskedBytes {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
  'if-none-match'?: string | undefined
}

/**
 * 200 with everything, or 206 with the part that is asked for; 416 when there is no such part, 304 when the client has
 * the bytes already (API, A9).
 */
export async function sendBytes(bytes: RangedBytes, asked: AskedBytes): Promise<StreamAnswer> {
  const { size, contentType, etag, open } = bytes
  const headers = { ...bytes.headers, ...(etag !== undefined && { etag }), 'accept-ranges': 'bytes' }
  if (etag !== undefined && isNamedBy(etag, asked['if-none-match'])) {
    return new StreamAnswer(Readable.from([]), contentType, headers, 304)
  }
  const requested = readByteRange(rangeOf(asked, etag), size)
  switch (requested.kind) {
    case 'whole':
      // Bounded, for a log may grow between the look at its size and its end.
      return new StreamAnswer(
        size === 0 ? Readable.from([]) : await open({ start: 0, end: size - 1 }),
        contentType,
        { ...headers, 'content-length': String(size) },
      )
    case 'unsatisfiable':
      throw new ApiError(416, { error: '416 Range Not Satisfiable' }, { 'content-range': `bytes */${size}` })
    case 'part': {
      const { start, end } = requested.range
      const part = {
        ...headers,
        'content-length': String(end - start + 1),
        'content-range': `bytes ${start}-${end}/${size}`,
      }
      return new StreamAnswer(await open(requested.range), contentType, part, 206)
    }
  }
}

/** With `If-Range` a part is wanted of just those bytes; of any others, or of none that have a name, all (RFC 9110, 13.1.5). */
function rangeOf(asked: AskedBytes, etag: string | undefined): string | undefined {
  const condition = asked['if-range']
  return condition === undefined || condition === etag ? asked.range : undefined
}

/** The whole file of an artifact, as a download. */
export function sendArtifact(
  artifacts: Artifacts,
  artifact: Artifact,
  asked: AskedBytes,
): Promise<StreamAnswer> {
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
    },
    asked,
  )
}

/** The name twice: for old clients without what could end the quotes, and in full. */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
