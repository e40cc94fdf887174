/** Splits a list into chunks of at most `size`, in order. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  const pieces: T[][] = []
  for (let start = 0; start < list.length; start += size) pieces.push(list.slice(start, start + size))
  return pieces
}
