/**
 * Whether a text can be stored as it is. PostgreSQL and file names take no NUL, and half of a surrogate pair, which JSON
 * can write as `\ud800`, has no UTF-8: it would be stored as another text than the one that was checked.
 */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text)
}

/** The same for every text and every key within a JSON value, which is no deeper than the body parsers allow. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member))
}

/** With `u` a surrogate matches only where it stands alone. */
const UNSTORABLE = /[\0\p{Surrogate}]/u
