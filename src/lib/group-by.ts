/** The items by key, in their order. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  return valuesBy(items, (item) => [keyOf(item), item])
}

/** The values by key, in the order of the items. */
export function valuesBy<Item, Key, Value>(
  items: readonly Item[],
  entryOf: (item: Item) => [Key, Value],
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const item of items) {
    const [key, value] = entryOf(item)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}
