import { createHash } from 'node:crypto'

const ARMOR =
  /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n(?:[^\r\n]+: [^\r\n]*\r?\n)*[ \t]*\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n(?:=[A-Za-z0-9+/]{4}\r?\n)?-----END PGP PUBLIC KEY BLOCK-----$/

const PUBLIC_KEY = 6
const VERSION_4 = 4

/**
 * Fingerprint, in upper-case hexadecimal, of the primary key in an ASCII-armored OpenPGP public key of
 * version 4 (RFC 4880, 6.2 and 12.2). Undefined for other input.
 */
export function gpgFingerprint(text: string): string | undefined {
  const encoded = ARMOR.exec(text.trim())?.[1]
  if (encoded === undefined) return undefined
  const body = firstPacket(Buffer.from(encoded.replace(/\s/g, ''), 'base64'))
  if (body?.[0] !== VERSION_4 || body.length < 8) return undefined
  const head = Buffer.from([0x99, body.length >> 8, body.length & 0xff])
  return createHash('sha1').update(head).update(body).digest('hex').toUpperCase()
}

/** Body of the first packet, if it is a complete public key (RFC 4880, 4.2). */
function firstPacket(bytes: Buffer): Buffer | undefined {
  const tag = bytes[0] ?? 0
  const isNew = (tag & 0xc0) === 0xc0
  const isOld = (tag & 0xc0) === 0x80
  const kind = isNew ? tag & 0x3f : (tag & 0x3c) >> 2
  if ((!isNew && !isOld) || kind !== PUBLIC_KEY) return undefined
  const { start, length } = isNew ? newLength(bytes) : oldLength(bytes, tag & 3)
  const isWhole = length > 0 && length <= 0xffff && bytes.length >= start + length
  return isWhole ? bytes.subarray(start, start + length) : undefined
}

function newLength(bytes: Buffer): { start: number; length: number } {
  const first = bytes[1] ?? 0
  if (first < 192) return { start: 2, length: first }
  if (first < 224) return { start: 3, length: ((first - 192) << 8) + (bytes[2] ?? 0) + 192 }
  if (first === 255 && bytes.length >= 6) return { start: 6, length: bytes.readUInt32BE(2) }
  return { start: 0, length: 0 }
}

function oldLength(bytes: Buffer, kind: number): { start: number; length: number } {
  if (kind === 0) return { start: 2, length: bytes[1] ?? 0 }
  if (kind === 1 && bytes.length >= 3) return { start: 3, length: bytes.readUInt16BE(1) }
  if (kind === 2 && bytes.length >= 5) return { start: 5, length: bytes.readUInt32BE(1) }
  return { start: 0, length: 0 }
}
