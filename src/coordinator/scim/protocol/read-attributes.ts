import { apiError } from '../../http/errors.js'

type Body = Readonly<Record<string, unknown>>

/** Longest text of an attribute, in characters. */
const MAX_LENGTH = 255
/** Control characters; a database stores no NUL. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f]/

/** The value of an attribute; names are compared without regard to case (RFC 7643, section 2.1). */
export function valueOf(body: Body, name: string): unknown {
  if (Object.hasOwn(body, name)) return body[name]
  const found = Object.keys(body).find((key) => key.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : body[found]
}

/** A text, without white space at its ends; undefined for none. Throws 400 for another value. */
export function readText(body: Body, name: string, shownAs = name): string | undefined {
  const value = valueOf(body, name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidValue(shownAs, 'must be a text')
  const text = value.trim()
  if (text.length > MAX_LENGTH) throw invalidValue(shownAs, `has more than ${MAX_LENGTH} characters`)
  if (CONTROL.test(text)) throw invalidValue(shownAs, 'has control characters')
  return text === '' ? undefined : text
}

/** Throws 400 without the text. */
export function requireText(body: Body, name: string, problem = 'is missing'): string {
  const text = readText(body, name)
  if (text === undefined) throw invalidValue(name, problem)
  return text
}

/** Entra ID writes booleans as texts: `"False"`. */
export function readFlag(body: Body, name: string): boolean | undefined {
  const value = valueOf(body, name)
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw invalidValue(name, 'must be true or false')
}

export function invalidValue(attribute: string, problem: string): Error {
  return apiError('scim_invalid_value', { attribute, problem })
}
