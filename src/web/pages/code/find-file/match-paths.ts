/** A path that matches, with the indexes of the characters that do. */
export interface PathMatch {
  path: string
  at: number[]
}

/** As many matches are shown. */
export const MAX_MATCHES = 50

/**
 * Paths that contain the characters of a text in this order, without regard to case. Those whose characters are closest
 * together come first, and then the shorter ones.
 */
export function matchPaths(paths: readonly string[], text: string): PathMatch[] {
  const wanted = text.toLowerCase().replaceAll(/\s+/g, '')
  if (wanted === '') return paths.slice(0, MAX_MATCHES).map((path) => ({ path, at: [] }))
  const found: (PathMatch & { rank: number })[] = []
  for (const path of paths) {
    const at = findCharacters(path.toLowerCase(), wanted)
    if (at) found.push({ path, at, rank: rankOf(path, at) })
  }
  return found
    .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_MATCHES)
    .map(({ path, at }) => ({ path, at }))
}

/** From the end: the name of a file says more than its folders. */
function findCharacters(path: string, wanted: string): number[] | undefined {
  const whole = path.lastIndexOf(wanted)
  if (whole >= 0) return Array.from(wanted, (_, index) => whole + index)
  const at: number[] = []
  let from = path.length
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    from = from === 0 ? -1 : path.lastIndexOf(wanted.charAt(index), from - 1)
    if (from < 0) return undefined
    at.unshift(from)
  }
  return at
}

function rankOf(path: string, at: readonly number[]): number {
  const first = at[0] ?? 0
  const gaps = (at.at(-1) ?? 0) - first + 1 - at.length
  return gaps + (first > path.lastIndexOf('/') ? 0 : 10)
}
