/** The type of an object with all keys of the parts. */
type Merged<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Others extends readonly object[],
]
  ? First & Merged<Others>
  : unknown

/**
 * Merges records into one, in the order of their keys. For records of many parts that are created for every
 * request. The engine copies only the first part of `{ ...a, ...b }` fast. Each key of the others takes as long as
 * the whole first part.
 */
export function mergeRecords<const Parts extends readonly object[]>(...parts: Parts): Merged<Parts> {
  return Object.assign({}, ...parts) as Merged<Parts> // the keys of all parts are present now
}
