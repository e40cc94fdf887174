import { createReadStream } from 'node:fs'
import { basename } from 'node:path'

import { isMissingFile } from '../../../../lib/files.js'
import { MAX_RECORD_BYTES } from '../export/archive-format.js'
import { MAX_RECORDS } from './archive-limits.js'
import { ImportError } from './import-error.js'

const LINE_END = 0x0a

/**
 * Records of a file with one JSON value per line, with line numbers from 1; none if the file does not exist.
 * Holds one line in memory. Throws `ImportError` for invalid JSON and for too many lines.
 */
export async function* readRecords(file: string): AsyncGenerator<{ line: number; record: unknown }> {
  const name = basename(file)
  let line = 0
  for await (const text of linesOf(file)) {
    line += 1
    if (line > MAX_RECORDS) throw new ImportError(`${name} has more than ${MAX_RECORDS} lines`)
    yield { line, record: parsed(text, name, line) }
  }
}

function parsed(text: string, name: string, line: number): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new ImportError(`Line ${line} of ${name} is not valid JSON`, { cause: error })
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    let start = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8')
      ;[begun, bytes, start] = [[], 0, end + 1]
    }
    begun.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > MAX_RECORD_BYTES) {
      throw new ImportError(`${basename(file)} has a line of more than ${MAX_RECORD_BYTES} bytes`)
    }
  }
  if (bytes > 0) yield Buffer.concat(begun).toString('utf8')
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}
