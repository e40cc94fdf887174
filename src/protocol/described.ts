import type { TSchema } from 'typebox'

/** The schema with a sentence about its field: what it means, unit, format, default, what null means. */
export function described<T extends TSchema>(schema: T, description: string): T {
  // A spread alone would lose what is not enumerable: the kind of a schema, and that it is optional.
  const copy = Object.defineProperties({ ...schema }, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, { description })
}
