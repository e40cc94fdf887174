import { Readable } from 'node:stream'

import { disposition } from '../../http/header-text.js'
import { type ApiResponse, respond, stream, type StreamResponse } from '../../http/operation.js'
import { asBase64, blobBytes, SMALL_BLOB_BYTES } from '../repositories/browse/blobs.js'
import { rawType } from '../repositories/browse/raw-type.js'
import type { Reading } from '../repositories/browse/reading.js'
import { type FileFacts, fileHeaders } from './find-file.js'

/** File record with its content; the content of a large file is streamed. */
export async function fileResponse(
  reading: Reading,
  facts: FileFacts,
): Promise<ApiResponse | StreamResponse> {
  const blob = { id: facts.blob_id, size: facts.size }
  const headers = fileHeaders(facts)
  if (facts.size > SMALL_BLOB_BYTES) {
    return stream(Readable.from(recordInPieces(reading, facts)), 'application/json', headers)
  }
  let content = ''
  for await (const piece of asBase64(blobBytes(reading, blob))) content += piece
  return respond(200, { ...facts, content }, headers)
}

async function* recordInPieces(reading: Reading, facts: FileFacts): AsyncGenerator<string> {
  yield `${JSON.stringify(facts).slice(0, -1)},"content":"`
  yield* asBase64(blobBytes(reading, { id: facts.blob_id, size: facts.size }))
  yield '"}'
}

/** Content of the file; HEAD gets its headers only (API, A9). */
export async function rawResponse(
  reading: Reading,
  facts: FileFacts,
  isHead: boolean,
): Promise<StreamResponse> {
  const blob = { id: facts.blob_id, size: facts.size }
  return stream(
    Readable.from(isHead ? [] : blobBytes(reading, blob), { objectMode: false }),
    await rawType(reading, blob, facts.file_name),
    {
      ...fileHeaders(facts),
      'content-length': String(facts.size),
      'content-disposition': disposition('inline', facts.file_name),
      'cache-control': 'no-store',
    },
  )
}

/** Response to a HEAD request for a file. */
export function headResponse(facts: FileFacts): StreamResponse {
  return stream(Readable.from([]), 'application/json', fileHeaders(facts))
}
