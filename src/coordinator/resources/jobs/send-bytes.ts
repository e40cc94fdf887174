import { Readable } from 'node:stream'

import { ApiError } from '../../http/errors.js'
import { StreamAnswer } from '../../http/operation.js'
import type { Artifact, Artifacts } from '../../storage/artifacts.js'
import type { ByteRange } from '../../storage/blob-store.js'
import { readByteRange } from './byte-range.js'

/** Bytes of a known size that can be read from anywhere. */
export interface RangedBytes {
  size: number
  contentType: string
  headers: Record<string, string>
  open: (range: ByteRange) => Promise<Readable>
}

/** 200 with everything, or 206 with the part that `rangeHeader` asks for; 416 when there is no such part. */
export async function sendBytes(bytes: RangedBytes, rangeHeader: string | undefined): Promise<StreamAnswer> {
  const { size, contentType, open } = bytes
  const headers = { ...bytes.headers, 'accept-ranges': 'bytes' }
  const requested = readByteRange(rangeHeader, size)
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

/** The whole file of an artifact, as a download. */
export function sendArtifact(
  artifacts: Artifacts,
  artifact: Artifact,
  rangeHeader: string | undefined,
): Promise<StreamAnswer> {
  return sendBytes(
    {
      size: artifact.size,
      contentType: 'application/octet-stream',
      headers: {
        'content-disposition': attachment(artifact.filename),
        'content-transfer-encoding': 'binary',
        'cache-control': 'no-store',
      },
      open: (range) => artifacts.open(artifact, range),
    },
    rangeHeader,
  )
}

/** The name twice: for old clients without what could end the quotes, and in full. */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
