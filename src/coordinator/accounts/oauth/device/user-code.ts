import { randomInt } from 'node:crypto'

/** Contains no vowels, so that codes form no words, and no letters similar to digits (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

/** A new user code: 34 random bits, which is enough for its lifetime of minutes. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
}

/** User code in its displayed form: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** Parses a code as typed, ignoring case and separators; undefined if it cannot be a code. */
export function readUserCode(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s\p{Pd}_.]/gu, '')
  return CODE.test(letters) ? letters : undefined
}
