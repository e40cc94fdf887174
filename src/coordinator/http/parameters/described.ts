import { type TSchema, Type } from 'typebox'

import { described } from '../../../protocol/described.js'

export { described }

/** An optional field. */
export function optional<T extends TSchema>(schema: T, description: string) {
  return described(Type.Optional(schema), description)
}

/** A field that holds any string. */
export function text(description: string) {
  return Type.String({ description })
}

/** A field that is true or false. */
export function flag(description: string) {
  return Type.Boolean({ description })
}
