import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** A signature of `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH). */
export interface SshSignature {
  /** Key that has signed, in the format of SSH (RFC 4253, 6.6). */
  publicKey: Buffer
  namespace: string
  hash: 'sha256' | 'sha512'
  signature: Buffer
}

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END SSH SIGNATURE-----\s*$/
const MAGIC = 'SSHSIG'

/** Reads one armored signature of version 1; undefined for other text. */
export function readSshSignature(armored: string): SshSignature | undefined {
  const encoded = ARMOR.exec(armored)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('latin1', 0, 6) !== MAGIC || bytes.length < 10 || bytes.readUInt32BE(6) !== 1)
    return undefined
  const [publicKey, namespace, reserved, hash, signature] = stringsOf(bytes.subarray(10)) ?? []
  if (!publicKey || !namespace || !reserved || !hash || !signature) return undefined
  const name = hash.toString('latin1')
  if (name !== 'sha256' && name !== 'sha512') return undefined
  return { publicKey, namespace: namespace.toString(), hash: name, signature }
}

/** Whether the key has signed the message in the namespace. Signatures with SHA-1 or of DSA keys do not count. */
export function isSignedBySsh(
  message: Buffer,
  { publicKey, hash, signature, namespace }: SshSignature,
): boolean {
  const key = readKey(publicKey)
  const [algorithm, bytes] = stringsOf(signature) ?? []
  if (!key || !algorithm || !bytes) return false
  const signed = Buffer.concat([
    Buffer.from(MAGIC),
    ...[Buffer.from(namespace), Buffer.alloc(0), Buffer.from(hash), digest(hash, message)].map(withLength),
  ])
  return key.verify(algorithm.toString('latin1'), signed, bytes, signature)
}

/** Fingerprint of a key as base64 without padding, after `SHA256:`. */
export function fingerprintOf(publicKey: Buffer): string {
  return digest('sha256', publicKey).toString('base64').replace(/=+$/, '')
}

interface Key {
  verify: (algorithm: string, signed: Buffer, bytes: Buffer, signature: Buffer) => boolean
}

/** A key of a type that signatures are accepted of. */
function readKey(blob: Buffer): Key | undefined {
  const fields = stringsOf(blob)
  const [type, ...parts] = fields ?? []
  switch (type?.toString('latin1')) {
    case 'ssh-ed25519':
      return ed25519Key('ssh-ed25519', parts[0])
    case 'sk-ssh-ed25519@openssh.com':
      return onToken(ed25519Key('sk-ssh-ed25519@openssh.com', parts[0]), parts[1])
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
      return ecdsaKey(String(type), parts[1])
    case 'sk-ecdsa-sha2-nistp256@openssh.com':
      return onToken(ecdsaKey('sk-ecdsa-sha2-nistp256@openssh.com', parts[1]), parts[2])
    case 'ssh-rsa':
      return rsaKey(parts[0], parts[1])
    default:
      return undefined
  }
}

function ed25519Key(name: string, x: Buffer | undefined): Key | undefined {
  const key = x?.length === 32 ? jwk({ kty: 'OKP', crv: 'Ed25519', x: url(x) }) : undefined
  return (
    key && { verify: (algorithm, signed, bytes) => algorithm === name && verify(null, signed, key, bytes) }
  )
}

const CURVES: Record<string, { crv: string; hash: string; bytes: number }> = {
  nistp256: { crv: 'P-256', hash: 'sha256', bytes: 32 },
  nistp384: { crv: 'P-384', hash: 'sha384', bytes: 48 },
  nistp521: { crv: 'P-521', hash: 'sha512', bytes: 66 },
}

/** `point`: uncompressed (RFC 5656, 3.1). */
function ecdsaKey(name: string, point: Buffer | undefined): Key | undefined {
  const curve = CURVES[/nistp\d+/.exec(name)?.[0] ?? '']
  if (!curve || point?.length !== 1 + 2 * curve.bytes || point[0] !== 4) return undefined
  const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)]
  const key = jwk({ kty: 'EC', crv: curve.crv, x: url(x), y: url(y) })
  return (
    key && {
      verify: (algorithm, signed, bytes) => {
        const numbers = (stringsOf(bytes) ?? []).map((number) => ofLength(number, curve.bytes))
        const [r, s] = numbers
        if (algorithm !== name || numbers.length !== 2 || !r || !s) return false
        return verify(curve.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([r, s]))
      },
    }
  )
}

const RSA_HASHES: Record<string, string> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }

function rsaKey(e: Buffer | undefined, n: Buffer | undefined): Key | undefined {
  const key = e && n && jwk({ kty: 'RSA', e: url(trimmed(e)), n: url(trimmed(n)) })
  return (
    key && {
      verify: (algorithm, signed, bytes) => {
        const hash = RSA_HASHES[algorithm]
        return hash !== undefined && verify(hash, signed, key, bytes)
      },
    }
  )
}

/**
 * A key on a security token signs digests of its application and of the message, and flags and a counter, which follow
 * the signature (PROTOCOL.u2f of OpenSSH).
 */
function onToken(key: Key | undefined, application: Buffer | undefined): Key | undefined {
  if (!key || !application) return undefined
  return {
    verify: (algorithm, signed, bytes, signature) => {
      const after = signature.subarray(4 + Buffer.byteLength(algorithm) + 4 + bytes.length)
      const isPresent = ((after[0] ?? 0) & 1) === 1
      if (after.length !== 5 || !isPresent) return false
      const all = Buffer.concat([digest('sha256', application), after, digest('sha256', signed)])
      return key.verify(algorithm, all, bytes, signature)
    },
  }
}

/** Undefined for numbers that are no key. */
function jwk(key: { kty: string; [part: string]: string }): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** The strings of SSH (RFC 4251, 5) at the beginning of `bytes`; undefined if it begins with none. */
function stringsOf(bytes: Buffer): Buffer[] | undefined {
  const strings: Buffer[] = []
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    strings.push(bytes.subarray(at + 4, end))
    at = end
  }
  return strings.length > 0 ? strings : undefined
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A positive number without leading zeros. */
function trimmed(number: Buffer): Buffer {
  const first = number.findIndex((byte) => byte !== 0)
  return first < 0 ? Buffer.alloc(1) : number.subarray(first)
}

/** The number with as many bytes; undefined if it is larger. */
function ofLength(number: Buffer, length: number): Buffer | undefined {
  const short = trimmed(number)
  return short.length > length ? undefined : Buffer.concat([Buffer.alloc(length - short.length), short])
}

function digest(hash: string, bytes: Buffer): Buffer {
  return createHash(hash).update(bytes).digest()
}

function url(bytes: Buffer): string {
  return bytes.toString('base64url')
}
