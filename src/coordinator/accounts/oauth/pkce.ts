import { hash } from 'node:crypto'

import { isSameText } from './same-text.js'

/** Whether it is what S256 makes: the base64url of a SHA-256 (RFC 7636, 4.2). */
export function isChallenge(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * Whether whoever trades a code in is who asked for it (RFC 7636, 4.6). A verifier that nobody has announced is refused
 * too: the request for the code was tampered with (RFC 9700, 4.8.2).
 */
export function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return isSameText(hash('sha256', verifier, 'base64url'), challenge)
}
