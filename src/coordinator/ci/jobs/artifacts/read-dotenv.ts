import type { Readable } from 'node:stream'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../../../archive/errors.js'
import { gunzipMembers } from '../../../../archive/gunzip-members.js'
import { apiError } from '../../../http/errors.js'
import { type DotenvVariable, MAX_DOTENV_BYTES, parseDotenv } from './dotenv.js'

/** More than this is refused unread: text that small does not grow by being packed. */
const MAX_PACKED_BYTES = 64 * 1024

export interface DotenvReport {
  /** The body as received. */
  packed: Buffer
  variables: DotenvVariable[]
}

/** Parses a dotenv report as runners send it. Throws 400 with the reason if it is malformed. */
export async function readDotenv(body: Readable): Promise<DotenvReport> {
  const packed = await readWhole(body)
  const dotenv = parseDotenv(await unpack(packed))
  if (dotenv.kind === 'invalid') throw apiError('report_invalid', { reason: dotenv.problem })
  return { packed, variables: dotenv.variables }
}

async function readWhole(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MAX_PACKED_BYTES) throw tooBig()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function unpack(packed: Buffer): Promise<Buffer[]> {
  try {
    return await gunzipMembers(packed, MAX_DOTENV_BYTES - 1)
  } catch (error) {
    if (error instanceof UnsafeArchiveError) throw tooBig()
    if (error instanceof UnreadableArchiveError)
      throw apiError('report_invalid', { reason: 'Invalid Format' })
    throw error
  }
}

function tooBig(): Error {
  return apiError('report_invalid', {
    reason: `Dotenv Artifact Too Big. Maximum Allowable Size: ${MAX_DOTENV_BYTES}`,
  })
}
