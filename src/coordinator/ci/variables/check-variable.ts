import { invalidRecord } from '../../http/errors.js'

const KEY = /^[a-zA-Z0-9_]{1,255}$/
/** Values that can be masked in logs reliably (CI language, 8.2). */
const MASKABLE = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/
const MASKABLE_RAW = /^\S{8,}$/

/** Throws 400 for a key that no shell could read, and for a value that cannot be masked although it should be. */
export function checkVariable(variable: {
  key: string
  value: string
  masked?: boolean
  raw?: boolean
}): void {
  const { key, value, masked, raw } = variable
  if (!KEY.test(key)) {
    throw invalidRecord({ key: ["can contain only letters, digits and '_'."] })
  }
  if (masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value)) throw invalidRecord({ value: ['is invalid'] })
}
