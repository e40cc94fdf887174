import { type ByteFilter, MASK } from './byte-filter.js'

/** Maximum length of `user:password@host`. A longer text without an end is not an authority. */
const MAX_AUTHORITY_BYTES = 4096
/** A name of this length before the `@`, without a password, is a token and not a user name. */
const MIN_TOKEN_BYTES = 20

const COLON = 0x3a
const SLASH = 0x2f
const AT = 0x40
const SCHEME_END = Buffer.from('://')
/** Space, control characters, and characters that end or cannot be part of the authority of a URL. */
const ENDS_AUTHORITY = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= 0x20 || byte === 0x7f || '/?#"<>`\\'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * Masks the password of `scheme://user:password@host`, and a token in its place. The last `@` before the path
 * counts, because a password may contain others.
 *
 *     outside ── "://" ──▶ authority, held back ── end or 4096 bytes ──▶ passed on, masked ──▶ outside
 */
export class UrlCredentialsMasker implements ByteFilter {
  /** Number of bytes of "://" that were read last. */
  private seen = 0
  /** The text after "://", while it may still contain a password. */
  private authority: Buffer | undefined

  push(chunk: Buffer): Buffer {
    const parts: Buffer[] = []
    let index = 0
    while (index < chunk.length) {
      index = this.authority ? this.readAuthority(chunk, index, parts) : this.seek(chunk, index, parts)
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  flush(): Buffer {
    const rest = this.authority ? maskCredentials(this.authority) : Buffer.alloc(0)
    this.authority = undefined
    this.seen = 0
    return rest
  }

  /** Continues after the next "://". */
  private seek(chunk: Buffer, start: number, parts: Buffer[]): number {
    const index = this.seen > 0 ? this.matchRest(chunk, start) : this.find(chunk, start)
    parts.push(chunk.subarray(start, index))
    if (this.seen === SCHEME_END.length) {
      this.seen = 0
      this.authority = Buffer.alloc(0)
    }
    return index
  }

  /** The search within one chunk is native. A match that may continue in the next chunk is counted. */
  private find(chunk: Buffer, start: number): number {
    const found = chunk.indexOf(SCHEME_END, start)
    if (found !== -1) {
      this.seen = SCHEME_END.length
      return found + SCHEME_END.length
    }
    if (chunk.at(-1) === COLON) this.seen = 1
    else if (chunk.length - start >= 2 && chunk.at(-1) === SLASH && chunk.at(-2) === COLON) this.seen = 2
    return chunk.length
  }

  private matchRest(chunk: Buffer, start: number): number {
    let index = start
    while (index < chunk.length && this.seen > 0 && this.seen < SCHEME_END.length) {
      if (chunk[index] === SCHEME_END[this.seen]) this.seen++
      else this.seen = chunk[index] === COLON ? 1 : 0
      index++
    }
    return index
  }

  private readAuthority(chunk: Buffer, start: number, parts: Buffer[]): number {
    const before = this.authority ?? Buffer.alloc(0)
    const limit = Math.min(chunk.length, start + MAX_AUTHORITY_BYTES - before.length)
    let end = start
    while (end < limit && ENDS_AUTHORITY[chunk[end]!] === 0) end++
    const authority = Buffer.concat([before, chunk.subarray(start, end)])
    const isOver = end < chunk.length || authority.length === MAX_AUTHORITY_BYTES
    this.authority = isOver ? undefined : authority
    if (isOver) {
      parts.push(maskCredentials(authority))
      // In "a@b://c", another scheme begins where the authority seems to end.
      this.seen = authority.at(-1) === COLON ? 1 : 0
    }
    return end
  }
}

function maskCredentials(authority: Buffer): Buffer {
  const at = authority.lastIndexOf(AT)
  if (at === -1) return authority
  const colon = authority.subarray(0, at).indexOf(COLON)
  const secretFrom = colon === -1 ? 0 : colon + 1
  const length = at - secretFrom
  if (length < (colon === -1 ? MIN_TOKEN_BYTES : 1)) return authority
  return Buffer.concat([authority.subarray(0, secretFrom), MASK, authority.subarray(at)])
}
