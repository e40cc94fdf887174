import { toUSVString } from 'node:util'

/**
 * Whether a text can be stored unchanged. PostgreSQL and file names cannot contain NUL. A lone surrogate,
 * which JSON can write as `\ud800`, has no UTF-8 encoding, so the stored text would differ from the checked
 * one.
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && toUSVString(text) === text
}

/** Like `isStorableText`, for every text and key in a JSON value, whose depth the body parsers limit. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member))
}
