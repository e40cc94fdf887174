import { hash } from 'node:crypto'

import { isSameText } from './same-text.js'

/** Whether the text has the form of an S256 challenge: the base64url of a SHA-256, padded or not (RFC 7636, 4.2). */
export function isChallenge(text: string): boolean {
  return /^[\w-]{43}=?$/.test(text)
}

/**
 * Verifies that the client that exchanges a code is the one that requested it (RFC 7636, 4.6). A verifier
 * without a challenge is refused too, because the authorization request may have been modified on the way
 * (RFC 9700, 4.8.2). The form of a verifier is not checked: some clients pad theirs with `=`.
 */
export function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return isSameText(hash('sha256', verifier, 'base64url'), challenge.replace('=', ''))
}
