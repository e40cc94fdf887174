/** The object without the keys that hold nothing: the engine has a default for what it is not told. */
export function withoutAbsent<T extends object>(object: T): T {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) Reflect.deleteProperty(object, key)
  }
  return object
}
