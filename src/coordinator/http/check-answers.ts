import { Compile } from 'typebox/compile'

import type { Operation } from './operation.js'
import { type Serialize, serializeAnything } from './send.js'

/**
 * How an operation's answers become text. They are written as they are: a serializer that follows the schema would
 * drop, without a word, what the schema forgot, and turn a null into an empty text. Instead the schema is enforced
 * where it can hurt nobody: with `check` (in tests) an answer that does not fit its declaration is a 500.
 */
export function serializerOf(operation: Operation, check: boolean): Serialize {
  if (!check) return serializeAnything
  const schemas = new Map(
    Object.entries(operation.answers).map(([status, schema]) => [Number(status), Compile(schema)]),
  )
  return (status, body) => {
    const text = JSON.stringify(body)
    const schema = schemas.get(status)
    const problem = schema
      ? schema.Errors(JSON.parse(text))[0]
      : { instancePath: '', message: 'is not declared' }
    if (problem) {
      const { method, path } = operation
      throw new TypeError(
        `${method} ${path} answers ${status} with a body whose ${problem.instancePath} ${problem.message}`,
      )
    }
    return text
  }
}
