/** Part of a line: the index of its first character, and that of the one after its last. */
export type Span = readonly [first: number, end: number]

const WORD = /[\p{L}\p{N}_]+|\s+|./gu
/** Lines that have less than this in common are different lines, not changed ones. */
const LEAST_COMMON = 0.35

/**
 * What differs between a removed line and the added one in its place: all between the words that both begin with and those
 * that both end with. Undefined if they have too little in common.
 */
export function changedWords(before: string, after: string): { old: Span; new: Span } | undefined {
  const old = before.match(WORD) ?? []
  const now = after.match(WORD) ?? []
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start += 1
  let end = 0
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const length = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length, 0)
  const first = length(old.slice(0, start))
  const rest = length(end === 0 ? [] : old.slice(-end))
  const common = [...old.slice(0, start), ...(end === 0 ? [] : old.slice(-end))].join('').trim().length
  if (common < LEAST_COMMON * Math.min(before.trim().length, after.trim().length)) return undefined
  return { old: [first, before.length - rest], new: [first, after.length - rest] }
}
