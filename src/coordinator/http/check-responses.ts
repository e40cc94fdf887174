import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

import type { Operation } from './operation.js'
import { type Serialize, serializeAnything } from './send.js'

/**
 * Serializes the responses of an operation as they are. A serializer derived from the schema would silently
 * drop undeclared fields and turn null into an empty string. Instead, with `check` (in tests), a response
 * that does not match its declaration is a 500.
 */
export function serializerOf(operation: Operation, check: boolean): Serialize {
  if (!check) return serializeAnything
  return (status, body) => {
    const text = JSON.stringify(body)
    const problem = problemOf(operation.responses[status], JSON.parse(text))
    if (problem !== undefined) {
      const { method, path } = operation
      throw new TypeError(`${method} ${path} returns ${status} with a body whose ${problem}`)
    }
    return text
  }
}

/** The location and kind of the first mismatch between `body` and `schema`; undefined if they match. */
function problemOf(schema: TSchema | undefined, body: unknown): string | undefined {
  if (!schema) return ' is not declared'
  const validator = validatorOf(schema)
  if (validator.Check(body)) return undefined
  const [error] = validator.Errors(body)
  return `${error?.instancePath} ${error?.message}`
}

/** Schemas are compiled on first use, once per process: an application declares thousands and uses few. */
const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known) return known
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}
