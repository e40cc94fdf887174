/**
 * Whether a path matches a pattern, in which `*` stands for any text; an empty one matches every path. Upper and lower
 * case are the same, and `/` at the start may be left out. The time is linear in the length of the path.
 */
export function matchesWildcards(pattern: string, path: string): boolean {
  if (pattern === '') return true
  const pieces = (/^[/*]/.test(pattern) ? pattern : `/${pattern}`).toLowerCase().split('*')
  const text = path.toLowerCase()
  const first = pieces.shift() ?? ''
  const last = pieces.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const piece of pieces) {
    const at = text.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
