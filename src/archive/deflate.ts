import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'

import { mapInOrder } from '../lib/map-in-order.js'
import { isIncompressible } from './is-incompressible.js'
import { limitedCores, type OnCore } from './limited-cores.js'

const deflate = promisify(deflateRaw)

/** Each piece is compressed separately. Smaller pieces compress less, larger ones need more memory. */
const PIECE_BYTES = 256 * 1024
/** Window size of deflate: how far a piece can refer back into the previous one. */
const WINDOW_BYTES = 32 * 1024
/** Enough to keep the threads of zlib busy. More threads than cores have no benefit. */
const PIECES_AT_ONCE = Math.max(4, 2 * availableParallelism())

const STORED_BLOCK_BYTES = 0xffff
/** An empty final block. */
const END = Buffer.from([0x03, 0x00])

export interface DeflatedPiece {
  content: Buffer
  deflated: Buffer
}

/**
 * Compresses `content` into one deflate stream on all cores, or on as many as `onCore` allows. Cuts it into pieces of a
 * fixed size, like pigz. Each is compressed with the end of the previous one as its dictionary, and ends at a byte. The
 * result depends only on content and level. Pieces that would not shrink, and all pieces at level 0, are stored.
 */
export async function* deflateInPieces(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  level: number,
  onCore: OnCore = limitedCores(),
): AsyncGenerator<DeflatedPiece> {
  const pieces = withDictionaries(inPieces(content))
  yield* mapInOrder(pieces, PIECES_AT_ONCE, async ({ piece, dictionary }) => ({
    content: piece,
    deflated: await onCore(() => deflatePiece(piece, dictionary, level)),
  }))
  yield { content: Buffer.alloc(0), deflated: END }
}

/** Compresses a whole small file. Returns undefined if it would not shrink. */
export async function deflateIfSmaller(content: Buffer, level: number): Promise<Buffer | undefined> {
  if (level === 0 || content.length === 0 || (await isIncompressible(content))) return undefined
  const deflated = await deflate(content, { level })
  return deflated.length < content.length ? deflated : undefined
}

async function deflatePiece(piece: Buffer, dictionary: Buffer | undefined, level: number): Promise<Buffer> {
  if (level === 0 || (await isIncompressible(piece))) return storedBlocks(piece)
  const options = { level, finishFlush: constants.Z_SYNC_FLUSH }
  return await deflate(piece, dictionary ? { ...options, dictionary } : options)
}

/** Stored blocks of deflate: a type, the length, the complement of the length, and the bytes unchanged. */
function storedBlocks(content: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < content.length; at += STORED_BLOCK_BYTES) {
    const block = content.subarray(at, at + STORED_BLOCK_BYTES)
    const head = Buffer.from([0, 0, 0, 0, 0])
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(~block.length & 0xffff, 3)
    parts.push(head, block)
  }
  return Buffer.concat(parts)
}

async function* withDictionaries(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<{ piece: Buffer; dictionary: Buffer | undefined }> {
  let dictionary: Buffer | undefined
  for await (const piece of pieces) {
    yield { piece, dictionary }
    dictionary = piece.subarray(-WINDOW_BYTES)
  }
}

/**
 * Splits the bytes again: every piece except the last has `PIECE_BYTES`, regardless of the chunks of the source.
 */
async function* inPieces(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    kept.push(chunk)
    bytes += chunk.length
    if (bytes < PIECE_BYTES) continue
    let rest = kept.length === 1 ? chunk : Buffer.concat(kept)
    for (; rest.length >= PIECE_BYTES; rest = rest.subarray(PIECE_BYTES)) yield rest.subarray(0, PIECE_BYTES)
    kept = rest.length > 0 ? [rest] : []
    bytes = rest.length
  }
  if (bytes > 0) yield Buffer.concat(kept)
}
