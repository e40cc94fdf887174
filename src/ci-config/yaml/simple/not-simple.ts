/** The text is not simple; the library parses it or reports the problem. */
export class NotSimpleError extends Error {
  override readonly name = 'NotSimpleError'
}

const NOT_SIMPLE = new NotSimpleError()

export function abortSimple(): never {
  throw NOT_SIMPLE
}
