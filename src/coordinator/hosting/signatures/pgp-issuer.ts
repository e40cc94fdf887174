const ARMOR =
  /^-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----\r?\n(?:[^\r\n]+: [^\r\n]*\r?\n)*[ \t]*\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n(?:=[A-Za-z0-9+/]{4}\r?\n)?-----END/

const ISSUER_KEY_ID = 16
const ISSUER_FINGERPRINT = 33

export function isPgp(armored: string): boolean {
  return /^-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----/.test(armored)
}

/**
 * ID, in upper-case hexadecimal, of the key that an armored OpenPGP signature of version 4 names as its issuer
 * (RFC 4880, 5.2.3). Undefined if it names none.
 */
export function issuerKeyId(armored: string): string | undefined {
  const encoded = ARMOR.exec(armored)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded.replace(/\s/g, ''), 'base64')
  const body = bytes.subarray(headerLength(bytes))
  if (body.length < 6 || body[0] !== 4) return undefined
  const hashed = subpackets(body.subarray(6, 6 + body.readUInt16BE(4)))
  const next = 6 + body.readUInt16BE(4)
  const unhashed =
    body.length >= next + 2
      ? body.subarray(next + 2, next + 2 + body.readUInt16BE(next))
      : body.subarray(0, 0)
  const all = [...hashed, ...subpackets(unhashed)]
  const fingerprint = all.find(({ type }) => type === ISSUER_FINGERPRINT)?.value.subarray(1)
  const id = fingerprint?.subarray(-8) ?? all.find(({ type }) => type === ISSUER_KEY_ID)?.value
  return id?.length === 8 ? id.toString('hex').toUpperCase() : undefined
}

function headerLength(bytes: Buffer): number {
  const [first = 0, second = 0] = bytes
  if ((first & 0xc0) === 0xc0) return second < 192 ? 2 : second < 224 ? 3 : 6
  return [2, 3, 5][first & 3] ?? bytes.length
}

function subpackets(bytes: Buffer): { type: number; value: Buffer }[] {
  const found = []
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const [start, length] =
      first < 192
        ? [at + 1, first]
        : first < 255
          ? [at + 2, ((first - 192) << 8) + (bytes[at + 1] ?? 0) + 192]
          : [at + 5, at + 5 <= bytes.length ? bytes.readUInt32BE(at + 1) : 0]
    if (length === 0 || start + length > bytes.length) break
    found.push({ type: (bytes[start] ?? 0) & 0x7f, value: bytes.subarray(start + 1, start + length) })
    at = start + length
  }
  return found
}
