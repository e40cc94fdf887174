/** The text is not of the simple kind; what it is, the library tells. */
export class NotSimpleError extends Error {
  override readonly name = 'NotSimpleError'
}

const NOT_SIMPLE = new NotSimpleError()

export function abortSimple(): never {
  throw NOT_SIMPLE
}
