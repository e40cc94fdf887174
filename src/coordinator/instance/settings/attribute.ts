import { type TSchema, Type } from 'typebox'

import { Nullable, OneOf } from '../../http/parameters/types.js'

/** One application setting. */
export interface Attribute {
  schema: TSchema
  /** Schema of responses, if it differs. */
  shownSchema?: TSchema
  /** The value in responses, if it differs. */
  show?: (value: unknown) => unknown
  description: string
  /** Value of an instance on which nobody has set it. */
  fallback: unknown
  /** Settings that must have a value while this one is switched on. */
  requires?: readonly string[]
  /** Stored encrypted, and never shown. */
  isSecret?: true
  /** The setting with the address to which the secret is sent. Another address deletes the secret. */
  sentTo?: string
  /** What is wrong with a value that its schema accepts; undefined = nothing. */
  check?: (value: unknown) => string | undefined
  /** Other names under which clients read and set it. */
  aliases?: readonly string[]
}

type More = Partial<Omit<Attribute, 'schema' | 'description'>>

const LARGEST = 2_147_483_647
const MAX_TEXT_LENGTH = 100_000

export function flag(description: string, more: More = {}): Attribute {
  return { schema: Type.Boolean(), description, fallback: false, ...more }
}

export function text(description: string, more: More = {}): Attribute {
  const schema = Nullable(Type.String({ maxLength: MAX_TEXT_LENGTH }))
  return { schema, description, fallback: null, ...more }
}

/** A text that is stored encrypted. */
export function secret(description: string, more: More = {}): Attribute {
  return { ...text(description, more), isSecret: true }
}

export function integer(
  description: string,
  { minimum = 0, maximum = LARGEST, ...more }: More & { minimum?: number; maximum?: number } = {},
): Attribute {
  return { schema: Nullable(Type.Integer({ minimum, maximum })), description, fallback: null, ...more }
}

export function decimal(
  description: string,
  { minimum = 0, maximum = LARGEST, ...more }: More & { minimum?: number; maximum?: number } = {},
): Attribute {
  return { schema: Nullable(Type.Number({ minimum, maximum })), description, fallback: null, ...more }
}

/** A decimal that responses show as text, such as `1.0`, as the reference does with those of its database. */
export function decimalText(description: string, more: More = {}): Attribute {
  return {
    ...decimal(description, more),
    shownSchema: Nullable(Type.String()),
    show: (value) => (Number.isInteger(value) ? Number(value).toFixed(1) : String(value)),
  }
}

export function texts(description: string, more: More = {}): Attribute {
  const schema = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })
  return { schema, description, fallback: [], ...more }
}

export function words(
  allowed: readonly [string, ...string[]],
  description: string,
  more: More = {},
): Attribute {
  const schema = Type.Array(OneOf(...allowed), { maxItems: 100 })
  return { schema, description, fallback: [], ...more }
}

export function word(
  allowed: readonly [string, ...string[]],
  description: string,
  more: More = {},
): Attribute {
  return { schema: OneOf(...allowed), description, fallback: allowed[0], ...more }
}

export function ids(description: string, more: More = {}): Attribute {
  const schema = Type.Array(Type.Integer({ minimum: 1, maximum: LARGEST }), { maxItems: 1000 })
  return { schema, description, fallback: [], ...more }
}

export function record(description: string, more: More = {}): Attribute {
  return { schema: Type.Record(Type.String(), Type.Unknown()), description, fallback: {}, ...more }
}
