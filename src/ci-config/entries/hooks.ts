import type { PlannedHooks } from '../plan.js'
import { mapOf } from './map-entry.js'
import type { Reader } from './reader.js'
import { readScript } from './scripts.js'

export const hooksShape = {
  attributes: {},
  children: { pre_get_sources_script: readScript },
}

/** Lines that run outside the script (CI language, 3.2). */
export const readHooks: Reader<PlannedHooks> = mapOf(hooksShape)
