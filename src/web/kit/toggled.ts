/** A copy of a set from which a value is removed if it was there, and to which it is added otherwise. */
export function toggled<Value>(values: ReadonlySet<Value>, value: Value): Set<Value> {
  const next = new Set(values)
  if (!next.delete(value)) next.add(value)
  return next
}
