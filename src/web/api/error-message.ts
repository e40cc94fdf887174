/**
 * The message in an error body of the API, as one sentence. Undefined if there is none.
 * `{message}`, `{error}` and `{message: {field: [problem…]}}` are its shapes.
 */
export function messageOf(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const { message, error, error_description: description } = body
  return textOrUndefined(message) ?? textOrUndefined(description) ?? textOrUndefined(error)
}

/** The problems of each field, for a body of the shape `{message: {field: [problem…]}}`. */
export function fieldErrors(body: unknown): Record<string, string> {
  const message = isRecord(body) ? body['message'] : undefined
  if (!isRecord(message)) return {}
  return Object.fromEntries(
    Object.entries(message).map(([field, problems]) => [
      field,
      Array.isArray(problems) ? problems.join(', ') : String(problems),
    ]),
  )
}

function textOrUndefined(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value.replace(/^\d{3} /, '')
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (!isRecord(value)) return undefined
  return Object.entries(value)
    .map(([field, problems]) => {
      const text = Array.isArray(problems) ? problems.join(', ') : String(problems)
      return field === 'base' ? text : `${field} ${text}`
    })
    .join('; ')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
