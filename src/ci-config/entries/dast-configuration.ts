import { mapOf } from './map-entry.js'
import { readString } from './simple-values.js'

/** The names of profiles that a server keeps for a scanner (CI language, 3.1). */
export const readDastConfiguration = mapOf({
  attributes: { site_profile: readString, scanner_profile: readString },
  children: {},
})
