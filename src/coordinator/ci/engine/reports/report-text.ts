import { pipeline, type Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'

import { messageOf } from '../../../../lib/errors.js'
import { isZlibError } from '../../../../lib/is-zlib-error.js'

/** Makes the error for a report that is refused. */
type Refuse = (reason: string, options?: ErrorOptions) => Error

/** XML has no room for them, but output of programs is full of colours. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/**
 * The text of a compressed XML report, whose files are compressed individually or together. Characters that XML forbids are
 * left out. Throws an error of `refuse` for invalid gzip data, and for more than `maxBytes` unpacked bytes.
 */
export function reportText(packed: Readable, maxBytes: number, refuse: Refuse): AsyncGenerator<string> {
  return decoded(unpacked(packed, maxBytes, refuse))
}

/** Passes on errors of the source. */
async function* unpacked(packed: Readable, maxBytes: number, refuse: Refuse): AsyncGenerator<Buffer> {
  const content = pipeline(packed, createGunzip(), () => undefined)
  let size = 0
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw refuse(`more than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw refuse(messageOf(error), { cause: error })
  }
}

/** Decodes with the encoding that the first document declares; UTF-8 if it declares no known one. */
async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of bytes) {
    decoder ??= decoderFor(chunk)
    yield decoder.decode(chunk, { stream: true }).replace(NOT_IN_XML, '')
  }
  const rest = decoder?.decode()
  if (rest) yield rest.replace(NOT_IN_XML, '')
}

function decoderFor(start: Buffer): TextDecoder {
  const declaration = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["'](?<name>[\w.:-]+)["']/
  const name = declaration.exec(start.subarray(0, 200).toString('latin1'))?.groups?.['name']
  try {
    return new TextDecoder(name)
  } catch {
    return new TextDecoder()
  }
}
