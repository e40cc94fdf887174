import type { ConfigMap } from '../yaml/config-value.js'
import type { Place } from './place.js'
import { type Readers, type Reading, readKeywords } from './reader.js'

/** Which keys a map may have. */
export interface MapShape<A extends Readers, C extends Readers> {
  /** Keys whose problems are told at the map itself. */
  attributes: A
  /** Keys that are entries of their own; looked at only when the map is right (CI language, 1.3). */
  children: C
  /** Keys of the language that this version refuses. */
  unsupported: readonly string[]
}

export type ReadMap<A extends Readers, C extends Readers> = Reading<A> & Reading<C>

/** Reads a map of known keys; `check` adds what concerns several keys at once, before the attributes. */
export function readMapEntry<A extends Readers, C extends Readers>(
  shape: MapShape<A, C>,
  map: ConfigMap,
  place: Place,
  check: (map: ConfigMap, place: Place) => void = () => undefined,
): ReadMap<A, C> | null {
  const before = place.problemCount()
  refuseUnknownKeys(map, knownKeys(shape), place)
  check(map, place)
  refuseUnsupportedKeys(map, shape.unsupported, place)
  const attributes = readKeywords(shape.attributes, map, (key) => place.attribute(key))
  if (place.problemCount() > before) return null
  const children = readKeywords(shape.children, map, (key) => place.child(key))
  return place.problemCount() > before ? null : { ...attributes, ...children }
}

/** Keys outside the list, in the words of the language. */
export function refuseUnknownKeys(map: ConfigMap, known: ReadonlySet<string>, place: Place): void {
  const unknown = [...map.keys()].filter((key) => !known.has(key))
  if (unknown.length > 0) place.refuse(`contains unknown keys: ${unknown.join(', ')}`, ...unknown.slice(0, 1))
}

/** Keys that would do something elsewhere and nothing here; null is the same as not written. */
export function refuseUnsupportedKeys(map: ConfigMap, keys: readonly string[], place: Place): void {
  for (const key of keys) {
    if (map.has(key) && map.get(key) !== null) place.refuseUnsupported(key)
  }
}

function knownKeys({ attributes, children, unsupported }: MapShape<Readers, Readers>): ReadonlySet<string> {
  return new Set([...Object.keys(attributes), ...Object.keys(children), ...unsupported])
}
