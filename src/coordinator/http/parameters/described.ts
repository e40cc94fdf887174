import { type TSchema, Type } from 'typebox'

import { described } from '../../../protocol/described.js'

export { described }

/** A field that may be left out. */
export function optional<T extends TSchema>(schema: T, description: string) {
  return described(Type.Optional(schema), description)
}
