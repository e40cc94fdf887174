import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { readIntegers } from './simple-values.js'

/** Yes, no, or for these exit codes (CI language, 3.3). */
export type AllowFailure = boolean | { exitCodes: number[] }

/** Whether the pipeline tolerates a failure of the job. The job itself refuses values of other types. */
export const readAllowFailure: Reader<AllowFailure> = (value, location) => {
  if (typeof value === 'boolean') return value
  if (!isMap(value)) return location.refuse('should be a hash or a boolean value')
  const read = readMapEntry(allowFailureShape, value, location)
  return read && { exitCodes: read.exit_codes ?? [] }
}

export const allowFailureShape = { attributes: { exit_codes: readIntegers }, children: {} }
