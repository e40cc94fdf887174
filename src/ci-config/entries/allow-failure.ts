import { isMap } from '../yaml/config-value.js'
import { refuseUnknownKeys, refuseUnsupportedKeys } from './map-entry.js'
import type { Reader } from './reader.js'

/** Whether a failure of the job leaves the pipeline standing (CI language, 3.3). */
export const readAllowFailure: Reader<boolean> = (value, place) => {
  if (typeof value === 'boolean') return value
  if (!isMap(value)) return place.refuse('should be a hash or a boolean value')
  refuseUnknownKeys(value, new Set(['exit_codes']), place)
  refuseUnsupportedKeys(value, ['exit_codes'], place)
  return null
}
