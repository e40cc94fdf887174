import { type Glob, matchesGlob } from './glob.js'

interface Item<Value> {
  glob: Glob
  value: Value
}

/**
 * Globs with what they stand for. They are found by their text after the last wildcard, or by that before the first, so that a
 * name is compared with few of a thousand globs such as `*.spec.js`.
 */
export class GlobIndex<Value> {
  private readonly values = new Map<string, Value>()
  private readonly byTail = new Map<string, Item<Value>[]>()
  private readonly byHead = new Map<string, Item<Value>[]>()
  private readonly others: Item<Value>[] = []
  private tails: number[] = []
  private heads: number[] = []

  get size(): number {
    return this.values.size
  }

  /** Returns the value of the glob with this text, which is made if there is none. */
  add(text: string, glob: Glob, make: () => Value): Value {
    const known = this.values.get(text)
    if (known !== undefined) return known
    const value = make()
    this.values.set(text, value)
    const { head, tail } = glob
    if (tail !== '') this.tails = insertInto(this.byTail, this.tails, tail, { glob, value })
    else if (head !== '') this.heads = insertInto(this.byHead, this.heads, head, { glob, value })
    else this.others.push({ glob, value })
    return value
  }

  /** The values of all globs that match, and the number of comparisons. */
  matching(name: string): { found: Value[]; steps: number } {
    const found: Value[] = []
    let steps = this.tails.length + this.heads.length
    const compare = (items: readonly Item<Value>[] | undefined) => {
      for (const { glob, value } of items ?? []) {
        steps += 1
        if (matchesGlob(glob, name)) found.push(value)
      }
    }
    for (const length of this.tails) compare(this.byTail.get(name.slice(-length)))
    for (const length of this.heads) compare(this.byHead.get(name.slice(0, length)))
    compare(this.others)
    return { found, steps }
  }
}

/** Returns the different lengths of the keys. */
function insertInto<Value>(
  index: Map<string, Item<Value>[]>,
  lengths: number[],
  key: string,
  item: Item<Value>,
): number[] {
  const items = index.get(key)
  if (items) items.push(item)
  else index.set(key, [item])
  return [...new Set([...lengths, key.length])]
}
