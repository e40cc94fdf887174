import { limits } from './limits.js'

/** Words that are wrong, and what could be in their place. */
export interface Suggestion {
  words: readonly string[]
  among: Iterable<string>
  /** A better hint than a word. */
  hint?: string
}

const MAX_EDITS = 3
const FAR = 1000

/** The hint, or "Did you mean …?" for the words that resemble an allowed one; undefined if none does. */
export function didYouMean({ words, among, hint }: Suggestion): string | undefined {
  if (hint !== undefined) return hint
  const allowed = [...among].slice(0, limits.suggestedAmong)
  const sentences = words.slice(0, limits.suggestedWords).flatMap((word) => {
    const found = closest(word, allowed)
    return found === undefined ? [] : [`Did you mean \`${found}\` instead of \`${word}\`?`]
  })
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

/** The allowed word with the fewest edits; undefined if all need too many. */
function closest(word: string, allowed: readonly string[]): string | undefined {
  if (word.length > limits.suggestedLength) return undefined
  const wanted = normal(word)
  let most = Math.min(MAX_EDITS, Math.max(1, Math.floor(word.length / 3)))
  let found: string | undefined
  for (const candidate of allowed) {
    if (candidate === word || Math.abs(candidate.length - word.length) > most) continue
    const edits = editDistance(wanted, normal(candidate))
    // The first of two that are equally close.
    if (edits > most || (edits === most && found !== undefined)) continue
    most = edits
    found = candidate
  }
  return found
}

/** Case and kinds of dashes are edits that cost nothing. */
function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '_')
}

/**
 * Characters to insert, delete, replace or swap with their neighbour. Only cells near the diagonal are computed, since
 * more edits than `MAX_EDITS` count as too many.
 */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = Math.max(1, i - MAX_EDITS); j <= Math.min(other.length, i + MAX_EDITS); j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? FAR) + 1, (row[j - 1] ?? FAR) + 1, (last[j - 1] ?? FAR) + cost)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwap) least = Math.min(least, (before[j - 2] ?? FAR) + 1)
      row[j] = least
    }
    before = last
    last = row
  }
  return last[other.length] ?? FAR
}
