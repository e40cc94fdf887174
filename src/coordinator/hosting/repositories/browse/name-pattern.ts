import { RE2JS, RE2JSSyntaxException } from 're2js'

import { invalidParameters } from '../../../http/errors.js'

/** Elements of an expression. Each name is searched in time that is linear in them. */
const MAX_PROGRAM = 500

/** Predicate for a regular expression that must match part of a name. Throws 400 for one that is not
 * valid or too long. */
export function namePattern(regex: string | undefined): (name: string) => boolean {
  if (!regex) return () => true
  try {
    const pattern = RE2JS.compile(regex)
    if (pattern.programSize() > MAX_PROGRAM) throw invalidParameters('regex is too long')
    return (name) => pattern.matcher(name).find()
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw invalidParameters('regex is invalid')
    throw error
  }
}
