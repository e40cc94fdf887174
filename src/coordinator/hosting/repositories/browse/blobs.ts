import { createHash } from 'node:crypto'

import { GitError, isDamage, unreadableObject } from '../../../../git/errors.js'
import { isObjectId } from '../../../../git/names.js'
import { allRecords, bytes, type Reading, records } from './reading.js'

/** Files up to this size, in bytes, are read at once; larger ones are streamed. */
export const SMALL_BLOB_BYTES = 1024 * 1024

export interface Blob {
  id: string
  /** Size in bytes. */
  size: number
}

/** Time in which a commit is looked for that needs a missing object, in milliseconds. */
const SEARCH_MILLISECONDS = 5000

/**
 * Undefined if there is no blob with this ID. Throws `GitError` for one that is damaged, or that is missing and that a
 * commit of a branch or tag needs, if such a commit is found within five seconds.
 */
export async function findBlob(reading: Reading, id: string): Promise<Blob | undefined> {
  if (!isObjectId(id)) return undefined
  const [line = ''] = await allRecords(reading, ['cat-file', '--batch-check'], {
    input: `${id}\n`,
    separator: '\n',
  })
  const [, type, size] = line.split(' ')
  if (type === 'missing') await refuseDamaged(reading, id)
  return type === 'blob' ? { id, size: Number(size) } : undefined
}

async function refuseDamaged(reading: Reading, id: string): Promise<void> {
  try {
    await allRecords(reading, ['cat-file', '-t', id], { separator: '\n' })
  } catch (error) {
    if (isDamage(error)) throw error
    if (!(error instanceof GitError)) throw error
  }
  // 50,000 files with 1,000 branches take half a second; the history of a large repository takes a minute.
  const limit = AbortSignal.timeout(SEARCH_MILLISECONDS)
  const limited = { ...reading, signal: AbortSignal.any([reading.signal, limit]) }
  const args = ['rev-list', '--objects', '--missing=print', '--branches', '--tags']
  try {
    for await (const line of records(limited, args, { separator: '\n' })) {
      if (line === `?${id}`) throw unreadableObject(id)
    }
  } catch (error) {
    if (!limit.aborted || reading.signal.aborted || error instanceof GitError) throw error
  }
}

/** Content of a blob of any size. */
export async function* blobBytes(reading: Reading, { id, size }: Blob): AsyncGenerator<Buffer> {
  if (size > SMALL_BLOB_BYTES) {
    yield* bytes(reading, ['cat-file', 'blob', id])
    return
  }
  yield (await reading.objects.readNamed(id, SMALL_BLOB_BYTES)).content
}

/** SHA-256 of the content, in hexadecimal. */
export async function blobSha256(reading: Reading, blob: Blob): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of blobBytes(reading, blob)) hash.update(chunk)
  return hash.digest('hex')
}

/** The first bytes of a blob, to detect its content type. */
export async function blobStart(reading: Reading, blob: Blob, length: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let held = 0
  for await (const chunk of blobBytes(reading, blob)) {
    chunks.push(chunk)
    held += chunk.length
    if (held >= length) break
  }
  return Buffer.concat(chunks).subarray(0, length)
}

/** Encodes a stream as Base64, in pieces. */
export async function* asBase64(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = all.length - (all.length % 3)
    yield all.toString('base64', 0, whole)
    rest = all.subarray(whole)
  }
  yield rest.toString('base64')
}
