import { Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'

import { unreadable, UnreadableArchiveError } from './errors.js'

const inflate = promisify(inflateRaw)

/** The metadata of an archive about the content of an entry. */
export interface ContentClaim {
  name: string
  size: number
  crc: number
}

/** Unpacks a small deflated entry at once, which is faster than a chain of streams. */
export async function inflateEntry(packed: Buffer, { size }: ContentClaim): Promise<Buffer> {
  // For zlib, a limit of 0 would mean no limit.
  return await inflate(packed, { maxOutputLength: Math.max(size, 1) })
}

/** Throws `UnreadableArchiveError` if the content does not match its metadata. */
export function checkContent(content: Buffer, claim: ContentClaim): void {
  if (content.length !== claim.size || crc32(content) !== claim.crc) throw notAsClaimed(claim)
}

/**
 * `checkContent` for a stream: passes bytes on, and fails as soon as there are too many, or at the end. The last piece is
 * passed on after the check, so that nobody gets all bytes of a file that is damaged.
 */
export class ContentCheck extends Transform {
  private bytes = 0
  private crc = 0
  private held: Buffer | undefined

  constructor(private readonly claim: ContentClaim) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length
    this.crc = crc32(chunk, this.crc)
    if (this.bytes > this.claim.size) {
      done(notAsClaimed(this.claim))
      return
    }
    const { held } = this
    this.held = chunk
    done(null, held)
  }

  override _flush(done: TransformCallback): void {
    const isRight = this.bytes === this.claim.size && this.crc === this.claim.crc
    if (isRight) done(null, this.held)
    else done(notAsClaimed(this.claim))
  }

  /** Reports earlier errors, for example of inflating, in the same way. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error && unreadable(error))
  }
}

function notAsClaimed({ name }: ContentClaim): UnreadableArchiveError {
  return new UnreadableArchiveError(
    `The archive is damaged: the size or checksum of ${JSON.stringify(name)} does not match`,
  )
}
