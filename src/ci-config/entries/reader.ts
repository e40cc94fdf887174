import type { ConfigMap, Written } from '../yaml/config-value.js'
import type { Location } from './location.js'

/**
 * Reads the value of one keyword. It is not called for null, which means not set. A result of null means that
 * the value was refused and the problem recorded.
 */
export type Reader<T> = (value: Written, location: Location) => T | null

/** Keywords and their readers. */
export type Readers = Readonly<Record<string, Reader<unknown>>>

/** The result of a table of readers; a key is missing if it was not set or refused. */
export type Reading<R extends Readers> = { [K in keyof R]?: Exclude<ReturnType<R[K]>, null> }

/** Reads every keyword of the table that the map has, in the order of the table. */
export function readKeywords<R extends Readers>(
  readers: R,
  map: ConfigMap,
  locate: (key: string) => Location,
): Reading<R> {
  const read: Record<string, unknown> = {}
  for (const [key, reader] of Object.entries(readers)) {
    const value = map.get(key)
    if (value === undefined || value === null) continue
    const result = reader(value, locate(key))
    if (result !== null) read[key] = result
  }
  return read as Reading<R>
}
