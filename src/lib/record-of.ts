/** An object with these keys, each with its computed value. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  const record: Partial<Record<Key, Value>> = {}
  for (const key of keys) record[key] = valueOf(key)
  return record as Record<Key, Value> // every key has a value now
}
