import { pipeline, type Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'

import { messageOf } from '../../../../../lib/errors.js'
import { isZlibError } from '../../../../../lib/is-zlib-error.js'
import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { JunitError } from './junit-error.js'
import { junitLimits } from './junit-limits.js'
import { parseJunit } from './parse-junit.js'

/**
 * Reads the cases of a compressed report, whose files are compressed individually or together. Throws
 * `JunitError`.
 */
export function readJunit(packed: Readable): AsyncGenerator<TestCase> {
  return parseJunit(decoded(unpacked(packed)))
}

/**
 * Passes on errors of the source, and throws `JunitError` for invalid gzip data or data that is too large.
 */
async function* unpacked(packed: Readable): AsyncGenerator<Buffer> {
  const content = pipeline(packed, createGunzip(), () => undefined)
  let size = 0
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > junitLimits.bytes)
        throw new JunitError(`JUnit data parsing failed: more than ${junitLimits.bytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw new JunitError(`JUnit data parsing failed: ${messageOf(error)}`, { cause: error })
  }
}

/** Decodes with the encoding that the first document declares; UTF-8 if it declares no known one. */
async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of bytes) {
    decoder ??= decoderFor(chunk)
    yield decoder.decode(chunk, { stream: true })
  }
  const rest = decoder?.decode()
  if (rest) yield rest
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
