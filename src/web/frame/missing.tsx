import type { Failure } from '../api/failure.js'
import { ReadError } from './problem.js'

interface MissingProps {
  /** What could not be read, such as "More files". */
  what: string
  failure: Failure | undefined
}

/** Beside what is shown: what else could not be read, and why. Nothing while there is no failure. */
export function Missing({ what, failure }: MissingProps) {
  return failure ? <ReadError title={`${what} could not be read.`} {...failure} /> : null
}
