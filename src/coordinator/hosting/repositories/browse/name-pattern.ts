import { RE2JS, RE2JSSyntaxException } from 're2js'

import { invalidParameters } from '../../../http/errors.js'

/** Predicate for a regular expression that must match part of a name. Throws 400 for one that is not valid. */
export function namePattern(regex: string | undefined): (name: string) => boolean {
  if (!regex) return () => true
  try {
    const pattern = RE2JS.compile(regex)
    return (name) => pattern.matcher(name).find()
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw invalidParameters('regex is invalid')
    throw error
  }
}
