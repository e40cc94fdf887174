/** What an object is that has all the keys of these. */
type Merged<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Others extends readonly object[],
]
  ? First & Merged<Others>
  : unknown

/**
 * One object with the keys of all parts, in their order. For records of many parts that are made for every request: of
 * `{ ...a, ...b }` the engine copies only the first fast, and each key of the others takes it as long as all of the first.
 */
export function mergeRecords<const Parts extends readonly object[]>(...parts: Parts): Merged<Parts> {
  return Object.assign({}, ...parts) as Merged<Parts> // every part's keys are there now
}
