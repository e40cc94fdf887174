import { type ConfigMap, isMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { type Reader, type Readers, type Reading, readKeywords } from './reader.js'

/** Which keys a map may have. */
export interface MapShape<A extends Readers, C extends Readers> {
  /** Keys whose problems are reported at the map itself. */
  attributes: A
  /** Keys that are separate entries; read only if the map is valid (CI language, 1.3). */
  children: C
  /** Known keys that `check` refuses with a specific message. */
  refused?: readonly string[]
  /** A word before the attributes in messages. */
  prefix?: string
}

export type ReadMap<A extends Readers, C extends Readers> = Reading<A> & Reading<C>

/** Reads a map of known keys. `check` adds checks across several keys, before the attributes. */
export function readMapEntry<A extends Readers, C extends Readers>(
  shape: MapShape<A, C>,
  map: ConfigMap,
  location: Location,
  check: (map: ConfigMap, location: Location) => void = () => undefined,
): ReadMap<A, C> | null {
  const before = location.problemCount()
  refuseUnknownKeys(map, knownKeys(shape), location)
  check(map, location)
  const attributes = readKeywords(shape.attributes, map, (key) =>
    location.attribute(key, [...(shape.prefix ? [shape.prefix] : []), key.replaceAll('_', ' ')].join(' ')),
  )
  if (location.problemCount() > before) return null
  const children = readKeywords(shape.children, map, (key) => location.child(key))
  return location.problemCount() > before ? null : { ...attributes, ...children }
}

/** Reads a map of known keys and refuses any other value. */
export function mapOf<A extends Readers, C extends Readers>(
  shape: MapShape<A, C>,
  check?: (map: ConfigMap, location: Location) => void,
): Reader<ReadMap<A, C>> {
  return (value, location) =>
    isMap(value) ? readMapEntry(shape, value, location, check) : location.refuse('should be a hash')
}

/** Requires keys to be present, with any value. */
export function requireKeys(map: ConfigMap, keys: readonly string[], location: Location): void {
  const missing = keys.filter((key) => !map.has(key))
  if (missing.length > 0) location.refuse(`missing required keys: ${missing.join(', ')}`)
}

/** Requires keys to be set; their readers check the values. */
export function requireWritten(map: ConfigMap, keys: readonly string[], location: Location): void {
  for (const key of keys) {
    if ((map.get(key) ?? null) === null) location.attribute(key).refuse("can't be blank")
  }
}

/** Exactly one of the keys must be present. */
export function requireOneOf(map: ConfigMap, keys: readonly string[], location: Location): void {
  if (keys.filter((key) => map.has(key)).length === 1) return
  location.refuse(`must use exactly one of these keys: ${keys.join(', ')}`)
}

/** Keys that exclude one another, named in the order in which they are written. */
export function refuseTogether(map: ConfigMap, keys: readonly string[], location: Location): void {
  if (!keys.every((key) => map.has(key))) return
  const written = [...map.keys()].filter((key) => keys.includes(key))
  location.refuse(`these keys cannot be used together: ${written.join(', ')}`)
}

/** Keys outside the list, in the words of the language. */
export function refuseUnknownKeys(map: ConfigMap, known: ReadonlySet<string>, location: Location): void {
  const unknown = [...map.keys()].filter((key) => !known.has(key))
  if (unknown.length === 0) return
  location
    .suggesting({ words: unknown, among: known })
    .refuse(`contains unknown keys: ${unknown.join(', ')}`, ...unknown.slice(0, 1))
}

/** Computed once per table, because a file has thousands of maps. */
const keysOfShapes = new WeakMap<MapShape<Readers, Readers>, ReadonlySet<string>>()

function knownKeys(shape: MapShape<Readers, Readers>): ReadonlySet<string> {
  const known = keysOfShapes.get(shape)
  if (known) return known
  const { attributes, children, refused = [] } = shape
  const keys = new Set([...Object.keys(attributes), ...Object.keys(children), ...refused])
  keysOfShapes.set(shape, keys)
  return keys
}
