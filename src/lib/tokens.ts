import { hash, randomBytes } from 'node:crypto'

/** Creates a secret: `prefix` and 20 characters of `[A-Za-z0-9_-]` (120 bits). */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(15).toString('base64url')
}

/** SHA-256 in hex. Only this digest of a token is stored. */
export function tokenDigest(token: string): string {
  return hash('sha256', token)
}
