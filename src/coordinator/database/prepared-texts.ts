const texts = new Set<string>()

/** Marks a text as that of a prepared statement: it is sent again and again with other values. */
export function markPrepared(text: string): void {
  texts.add(text)
}

export function isPrepared(text: string): boolean {
  return texts.has(text)
}
