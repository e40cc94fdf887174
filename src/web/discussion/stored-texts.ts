import { boot } from '../api/boot.js'

/** Texts of one user: another one who signs in to this browser does not see them. */
const PREFIX = `switchyard-text:${boot.user?.id ?? 0}:`
const KEPT_MILLISECONDS = 30 * 24 * 3_600_000

interface StoredText {
  text: string
  /** When it was typed, in milliseconds since 1970. */
  at: number
}

/** The key under which this browser keeps a text. */
export function storageKey(key: string): string {
  return PREFIX + key
}

/** The text that was typed at an address and not sent. */
export function readStoredText(key: string): string | undefined {
  return parseStoredText(localStorage.getItem(storageKey(key)))
}

/** The text in a value of the storage; undefined without one. */
export function parseStoredText(value: string | null): string | undefined {
  if (value === null) return undefined
  try {
    const { text } = JSON.parse(value) as Partial<StoredText>
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined // something else has written there
  }
}

/** Keeps a text; an undefined one is deleted. */
export function storeText(key: string, text: string | undefined): void {
  if (text === undefined) {
    localStorage.removeItem(storageKey(key))
    return
  }
  try {
    localStorage.setItem(storageKey(key), JSON.stringify({ text, at: Date.now() } satisfies StoredText))
  } catch (error) {
    // The storage is full: the text is only in the field.
    if (!(error instanceof DOMException)) throw error
  }
}

/** Deletes texts that nobody has returned to. */
export function deleteOldTexts(now = Date.now()): void {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith('switchyard-text:')) continue
    const at = timeOf(localStorage.getItem(key))
    if (now - at > KEPT_MILLISECONDS) localStorage.removeItem(key)
  }
}

function timeOf(value: string | null): number {
  try {
    return (JSON.parse(value ?? '') as Partial<StoredText>).at ?? 0
  } catch {
    return 0
  }
}
