import fc from 'fast-check'

import type { ByteFilter } from '../../../../src/runner/trace/byte-filters.js'

/** The output of a filter for a text in these chunks. */
export function filtered(filter: ByteFilter, pieces: readonly (string | Buffer)[]): Buffer {
  const parts = pieces.map((piece) => filter.push(Buffer.from(piece)))
  return Buffer.concat([...parts, filter.flush()])
}

/** A text of the given fragments and the pieces it comes in, empty ones included. */
export function textInPieces(
  fragments: fc.Arbitrary<Buffer>,
  maxFragments = 30,
): fc.Arbitrary<{ text: Buffer; pieces: Buffer[] }> {
  const text = fc.array(fragments, { maxLength: maxFragments }).map((parts) => Buffer.concat(parts))
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })
  const everyByte = fc.constant('every byte' as const)
  return fc
    .record({ text, cuts: fc.oneof({ weight: 4, arbitrary: cuts }, everyByte) })
    .map((sample) => ({ text: sample.text, pieces: cutUp(sample.text, sample.cuts) }))
}

function cutUp(text: Buffer, cuts: readonly number[] | 'every byte'): Buffer[] {
  if (cuts === 'every byte') return Array.from(text, (byte) => Buffer.from([byte]))
  const positions = cuts.map((cut) => Math.floor(cut * (text.length + 1))).sort((a, b) => a - b)
  return [...positions, text.length].map((end, index) => text.subarray(positions[index - 1] ?? 0, end))
}

/** Bytes in readable form for the report of a failed property. */
export function readable(bytes: Buffer): string {
  return bytes.toString('latin1')
}
