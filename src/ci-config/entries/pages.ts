import { isExpiry } from '../duration.js'
import { type ConfigMap, isMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { mentionsVariable, readName, readString } from './simple-values.js'

/** The value of `pages`; false = the job does not publish, whatever its name (CI language, 3.15). */
export type Pages = boolean | { publish?: string; path_prefix?: string; expire_in?: string }

/** A job with this name publishes pages. */
const PAGES = 'pages'

export const readPages: Reader<Pages> = (value, location) => {
  if (typeof value === 'boolean') return value
  return isMap(value)
    ? readMapEntry(pagesShape, value, location)
    : location.refuse('should be a hash or a boolean value')
}

/** Whether the job publishes a folder. */
export function isPagesJob(name: string, pages: unknown): boolean {
  return pages === undefined || pages === null ? name === PAGES : pages !== false
}

/** `publish` is only valid in a job that publishes. */
export function checkPublish(name: string, map: ConfigMap, location: Location): void {
  if ((map.get('publish') ?? null) === null || isPagesJob(name, map.get('pages'))) return
  location.attribute('publish').refuse('can only be used within a `pages` job')
}

const readExpiry: Reader<string> = (value, location) =>
  typeof value === 'string' && (mentionsVariable(value) || isExpiry(value))
    ? value
    : location.refuse('should be a duration')

export const pagesShape = {
  attributes: { path_prefix: readString, expire_in: readExpiry, publish: readName },
  children: {},
}
