import { randomInt } from 'node:crypto'

import { tokenDigest } from '../../../lib/tokens.js'

const COUNT = 10
/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
/** 59 bits: too many to be guessed, so they need no slow hash. */
const LENGTH = 12
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** Ten new codes, in groups of four characters: `k3pa-97xw-m2tb`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => newRecoveryCode())
}

function newRecoveryCode(): string {
  const text = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return text.replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The digest of a code, whatever the user typed between its groups; undefined for a text that cannot be one. */
export function recoveryCodeDigest(typed: string): string | undefined {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  return CODE.test(text) ? tokenDigest(text) : undefined
}
