import type { PlannedHooks } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { readScript } from './scripts.js'

/** Lines that run at other times than the script (CI language, 3.2). */
export const readHooks: Reader<PlannedHooks> = (value, place) =>
  isMap(value) ? readMapEntry(shape, value, place) : place.refuse('should be a hash')

const shape = { attributes: {}, children: { pre_get_sources_script: readScript }, unsupported: [] }
