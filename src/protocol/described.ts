import type { TSchema } from 'typebox'

/** Adds a description to the schema of a field: its meaning, unit, format, default, and the meaning of null. */
export function described<T extends TSchema>(schema: T, description: string): T {
  // A spread alone would lose the properties that are not enumerable: the kind of a schema, and that it is
  // optional.
  const copy = Object.defineProperties({ ...schema }, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, { description })
}
