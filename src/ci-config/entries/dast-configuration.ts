import { mapOf } from './map-entry.js'
import { readString } from './simple-values.js'

export const dastConfigurationShape = {
  attributes: { site_profile: readString, scanner_profile: readString },
  children: {},
}

/** The names of scanner profiles that are stored on a server (CI language, 3.1). */
export const readDastConfiguration = mapOf(dastConfigurationShape)
