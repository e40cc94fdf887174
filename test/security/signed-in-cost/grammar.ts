/** What texts of one kind are made of, and what reads them. */
export interface Grammar {
  /** Of each pair of them, a text is made that repeats it. */
  tokens: readonly string[]
  readers: Readonly<Record<string, Reader>>
}

export interface Reader {
  /** May return a promise. */
  read: (text: string) => unknown
  /** In characters: 64 KiB, or less where longer texts are refused. */
  length?: number
}

const LENGTH = 64 * 1024
/** The length of the texts for a reader. */
export function lengthFor({ length = LENGTH }: Reader): number {
  return length
}

/** Each pair of tokens with a text that repeats it. */
export function* repeatedPairs(
  tokens: readonly string[],
  length: number,
): Generator<{ unit: string; text: string }> {
  for (const first of tokens) {
    for (const second of tokens) {
      const unit = first + second
      yield { unit, text: unit.repeat(Math.ceil(length / unit.length)).slice(0, length) }
    }
  }
}
