import { Readable } from 'node:stream'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../../archive/errors.js'
import { gunzipMembers } from '../../../archive/gunzip-members.js'
import { inTransaction } from '../../database/transaction.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { keepDotenvVariables } from '../../engine/job-store.js'
import { badRequest } from '../../http/errors.js'
import type { StoreResult } from '../../storage/artifacts.js'
import { type DotenvVariable, MAX_DOTENV_BYTES, parseDotenv } from './dotenv.js'

/** More than this is refused unread: text that small does not grow by being packed. */
const MAX_PACKED_BYTES = 64 * 1024

/**
 * Takes the dotenv report of a job: what it says becomes variables of the jobs that fetch its artifacts (CI language,
 * 8.5). `store` keeps the file itself. A runner that did not hear the answer sends it again, and the variables are
 * written again. Throws 400 with the reason for a report that cannot be read; nothing of it is kept then.
 */
export async function uploadDotenv(
  { database, secrets }: Pick<EngineDeps, 'database' | 'secrets'>,
  jobId: number,
  body: Readable,
  store: (content: Readable) => Promise<StoreResult>,
): Promise<StoreResult> {
  const packed = await readWhole(body)
  const variables = await variablesIn(packed)
  const result = await store(Readable.from([packed]))
  if (result.kind === 'different') return result
  await inTransaction(database, (tx) =>
    keepDotenvVariables(
      tx,
      jobId,
      variables.map(({ key, value }) => ({ key, value_encrypted: secrets.encrypt(value) })),
    ),
  )
  return result
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

async function variablesIn(packed: Buffer): Promise<DotenvVariable[]> {
  const dotenv = parseDotenv(await unpack(packed))
  if (dotenv.kind === 'invalid') throw badRequest(dotenv.problem)
  return dotenv.variables
}

async function unpack(packed: Buffer): Promise<Buffer[]> {
  try {
    return await gunzipMembers(packed, MAX_DOTENV_BYTES - 1)
  } catch (error) {
    if (error instanceof UnsafeArchiveError) throw tooBig()
    if (error instanceof UnreadableArchiveError) throw badRequest('Invalid Format')
    throw error
  }
}

function tooBig(): Error {
  return badRequest(`Dotenv Artifact Too Big. Maximum Allowable Size: ${MAX_DOTENV_BYTES}`)
}
