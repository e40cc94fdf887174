import type { ByteRange } from '../storage/blob-store.js'

export type RequestedRange =
  | { kind: 'whole' }
  | { kind: 'part'; range: ByteRange }
  | { kind: 'unsatisfiable' }

/** Reads a `Range` header with one range. Ignores any other value, as HTTP requires. */
export function readByteRange(header: string | undefined, size: number): RequestedRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return { kind: 'whole' }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return { kind: 'whole' }
  if (start > end) return { kind: 'unsatisfiable' }
  return { kind: 'part', range: { start, end } }
}
