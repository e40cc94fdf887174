import { hash, randomBytes } from 'node:crypto'

/** A new secret: `prefix` and 20 characters of `[A-Za-z0-9_-]` (120 bits). */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(15).toString('base64url')
}

/** SHA-256 as hex; all that is kept of a token at rest. */
export function tokenDigest(token: string): string {
  return hash('sha256', token)
}
