import { hash } from 'node:crypto'

import { COMMON_DIGEST_BYTES, COMMON_DIGESTS } from './common-digests.js'

const HEX_DIGITS = 2 * COMMON_DIGEST_BYTES
let digests: Set<string> | undefined

/** Whether the password is, in any case, among the most common ones of at least eight characters. */
export function isCommonPassword(password: string): boolean {
  digests ??= readDigests()
  return digests.has(hash('sha1', password.toLowerCase()).slice(0, HEX_DIGITS))
}

function readDigests(): Set<string> {
  const hex = Buffer.from(COMMON_DIGESTS, 'base64').toString('hex')
  const count = hex.length / HEX_DIGITS
  return new Set(Array.from({ length: count }, (_, at) => hex.slice(at * HEX_DIGITS, (at + 1) * HEX_DIGITS)))
}
