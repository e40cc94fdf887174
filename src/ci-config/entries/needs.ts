import type { PlannedNeed } from '../plan.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import { readMapEntry, refuseUnsupportedKeys } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { flatItems, readBoolean, readName } from './simple-values.js'

/** Jobs that must be over before this one starts; one may be written without a list (CI language, 3.8). */
export const readNeeds: Reader<PlannedNeed[]> = (value, place) => {
  if (isMap(value) && value.size === 0) return place.refuse('can not be an empty Hash')
  const items = isMap(value) ? [{ value, position: [] }] : isList(value) ? flatItems(value) : undefined
  if (!items) return place.refuse('can only be a Hash or an Array')
  return items
    .map((item) => readNeed(item.value, place.item('need', item.position)))
    .filter((need) => need !== null)
}

/** Needs that reach into another pipeline or project. */
const FOREIGN_KEYS = ['pipeline', 'project', 'ref']

function readNeed(item: ConfigValue, place: Place): PlannedNeed | null {
  if (typeof item === 'string') {
    const name = readName(item, place)
    return name === null ? null : { name, artifacts: true, optional: false }
  }
  if (isMap(item))
    return FOREIGN_KEYS.some((key) => item.has(key)) ? foreign(item, place) : readJobNeed(item, place)
  return place.refuseKind('has an unsupported type')
}

function foreign(item: ConfigMap, place: Place): null {
  refuseUnsupportedKeys(item, FOREIGN_KEYS, place)
  return null
}

function readJobNeed(item: ConfigMap, place: Place): PlannedNeed | null {
  if (!item.has('job')) return place.refuseKind('has an unsupported type')
  const read = readMapEntry(shape, item, place)
  if (!read) return null
  if (read.job === undefined) return place.attribute('job').refuse("can't be blank")
  return { name: read.job, artifacts: read.artifacts ?? true, optional: read.optional ?? false }
}

const shape = {
  attributes: { job: readName, artifacts: readBoolean, optional: readBoolean },
  children: {},
  unsupported: ['parallel'],
}
