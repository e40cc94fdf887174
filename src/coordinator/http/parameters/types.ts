import { type TSchema, Type } from 'typebox'

/** The few shapes that parameters and records are made of beside the basic ones. */

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

export const NullableText = Nullable(Type.String())

/** One of a few words. */
export function OneOf<const Words extends string[]>(...words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words })
}

/** ISO 8601, UTC with milliseconds on the way out. */
export function DateTime() {
  return Type.String({ format: 'date-time' })
}

/** `YYYY-MM-DD`. */
export function DateOnly() {
  return Type.String({ format: 'date' })
}

export const Visibility = OneOf('private', 'internal', 'public')
export const SortDirection = OneOf('asc', 'desc')
