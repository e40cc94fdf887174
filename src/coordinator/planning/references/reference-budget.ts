import type { Reference, ReferenceKind, ReferenceOf } from './reference.js'

/** A character that every reference of a kind has, whether short or a URL. Commit IDs have none. */
const MARKS: Partial<Record<ReferenceKind, RegExp>> = {
  issue: /[#/]/,
  merge_request: /[!/]/,
  snippet: /\$/,
  label: /~/,
  milestone: /%/,
  user: /@/,
}

/** How many references of each kind are still wanted, over all texts that are searched with it. */
export class ReferenceBudget<K extends ReferenceKind> {
  private readonly left: Map<ReferenceKind, number>

  /** `most` references of each of the kinds. */
  constructor(kinds: readonly K[], most: number) {
    this.left = new Map(kinds.map((kind) => [kind, most]))
  }

  /** Whether no more references are wanted. */
  get isSpent(): boolean {
    return this.left.size === 0
  }

  /** False if the text has none of the wanted references. */
  mayBeIn(text: string): boolean {
    return [...this.left.keys()].some((kind) => MARKS[kind]?.test(text) ?? true)
  }

  /** Counts a reference; false if it is not wanted, or not any more. */
  take(reference: Reference): reference is ReferenceOf<K> {
    const left = this.left.get(reference.kind)
    if (left === undefined) return false
    if (left === 1) this.left.delete(reference.kind)
    else this.left.set(reference.kind, left - 1)
    return true
  }
}
