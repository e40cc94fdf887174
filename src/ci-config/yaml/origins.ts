import type { SourceLocation } from '../errors.js'
import { type ConfigList, type ConfigMap, type ConfigValue, isList, isMap } from './config-value.js'

/** Converts offsets in one document of a file to lines and columns. */
export interface SourceText {
  /** `offset` counts characters from the start of the document. */
  locationOf(offset: number): SourceLocation
}

/** The offsets of map keys or list items in the document. */
type Offsets = ReadonlyMap<string, number> | readonly number[]

interface Origin {
  source?: SourceText
  offsets?: Offsets
  /** The source maps of other keys; the first map with a key defines it. */
  layers?: readonly ConfigMap[]
  /** The map or list from which it was created, and the original key for a key here. */
  moved?: { original: ConfigMap | ConfigList; keyOf: (key: string) => string }
}

/**
 * Offsets of maps and lists, stored outside the values, so that values stay plain and can be shared and
 * merged. Lines are computed only for problems.
 */
const origins = new WeakMap<ConfigMap | ConfigList, Origin>()

/** `layers` are maps that were merged into it with `<<`, the strongest first. */
export function rememberWritten(
  value: ConfigMap | ConfigList,
  source: SourceText,
  offsets: Offsets,
  layers?: readonly ConfigMap[],
): void {
  origins.set(value, { source, offsets, ...(layers && { layers }) })
}

/** A map merged from others, the one with the highest precedence first. */
export function rememberMerged<M extends ConfigMap>(merged: M, layers: readonly ConfigMap[]): M {
  origins.set(merged, { layers })
  return merged
}

/** Records that the parts of a map or list have the offsets of `original`. */
export function rememberCopy<V extends ConfigMap | ConfigList>(copy: V, original: ConfigMap | ConfigList): V {
  const origin = origins.get(original)
  if (origin) origins.set(copy, origin)
  return copy
}

/** Records that the parts of a map or list have the offsets of other parts of `original`. */
export function rememberMoved<V extends ConfigMap | ConfigList>(
  copy: V,
  original: ConfigMap | ConfigList,
  keyOf: (key: string) => string,
): V {
  origins.set(copy, { moved: { original, keyOf } })
  return copy
}

/** The location of the last key of the path that is in a file; undefined if there is none. */
export function locate(root: ConfigMap, path: readonly string[]): SourceLocation | undefined {
  let found: SourceLocation | undefined
  let value: ConfigValue | undefined = root
  for (const key of path) {
    if (!isMap(value) && !isList(value)) break
    found = locationIn(value, key) ?? found
    value = isMap(value) ? value.get(key) : value[Number(key)]
  }
  return found
}

function locationIn(value: ConfigMap | ConfigList, key: string): SourceLocation | undefined {
  const origin = origins.get(value)
  const offset = origin?.offsets && offsetOf(origin.offsets, key)
  if (offset !== undefined) return origin?.source?.locationOf(offset)
  if (origin?.moved) return locationIn(origin.moved.original, origin.moved.keyOf(key))
  const layer = origin?.layers?.find((map) => map.has(key))
  return layer && locationIn(layer, key)
}

function offsetOf(offsets: Offsets, key: string): number | undefined {
  return 'get' in offsets ? offsets.get(key) : offsets[Number(key)]
}
