/** The scope of an intention: plain values, stored as JSON with the intention. */
export type IntentionTerms = Readonly<Record<string, string | number | boolean | null>>

/** The first term that is not as it was given; undefined if all are. A term that was not stored counts as changed. */
export function changedTerm<T extends IntentionTerms>(given: Partial<T>, now: T): keyof T | undefined {
  return Object.keys(now).find((name) => given[name] !== now[name])
}
