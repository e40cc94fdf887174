import { randomInt } from 'node:crypto'

/** No vowels, so that no words come of it, and nothing that looks like a digit (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

/** A new code that people type: 34 random bits, which is enough for the minutes that it is good for. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
}

/** As people see it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** What somebody has typed, whatever stands between the letters and however they are written; undefined = no such code. */
export function readUserCode(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s\p{Pd}_.]/gu, '')
  return CODE.test(letters) ? letters : undefined
}
