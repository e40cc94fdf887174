/** Lines that an address selects, both included. */
export interface LineRange {
  first: number
  last: number
}

/** Reads `#L42` and `#L42-L60`. Undefined for other texts. */
export function readLineRange(hash: string): LineRange | undefined {
  const [, a, b] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? []
  if (a === undefined) return undefined
  const [first, last] = [Number(a), Number(b ?? a)].toSorted((x, y) => x - y) as [number, number]
  return first >= 1 ? { first, last } : undefined
}

/** The opposite of `readLineRange`. */
export function lineHash({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`
}
