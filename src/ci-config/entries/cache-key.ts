import type { PlannedCacheKey } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry, requireOneOf } from './map-entry.js'
import type { Reader } from './reader.js'
import { readStrings } from './simple-values.js'

const MAX_FILES = 2
const SOURCES = ['files', 'files_commits']

/** A text, or a key from the content of files in the commit (CI language, 3.5). */
export const readCacheKey: Reader<PlannedCacheKey> = (value, place) => {
  if (typeof value === 'string') return readKeyText(value, place)
  if (!isMap(value)) return place.refuseKind('should be a hash, a string or a symbol')
  const read = readMapEntry(cacheKeyShape, value, place, (map) => requireOneOf(map, SOURCES, place))
  if (!read) return null
  const prefix = read.prefix === undefined ? {} : { prefix: read.prefix }
  return read.files_commits
    ? { files: read.files_commits, by: 'commit', ...prefix }
    : { files: read.files ?? [], by: 'content', ...prefix }
}

/** A key becomes a part of a path. */
const readKeyText: Reader<string> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('should be a string or symbol')
  const decoded = value.replace(/%2f/gi, '/').replace(/%2e/gi, '.')
  if (decoded.includes('/')) return place.refuse('cannot contain the "/" character')
  return decoded === '.' || decoded === '..' ? place.refuse('cannot be "." or ".."') : value
}

const readFiles: Reader<string[]> = (value, place) => {
  const files = readStrings(value, place)
  if (files === null) return null
  if (files.length === 0) return place.refuse('requires at least 1 item')
  return files.length > MAX_FILES ? place.refuse(`has too many items (maximum is ${MAX_FILES})`) : files
}

export const cacheKeyShape = {
  attributes: {},
  children: { files: readFiles, files_commits: readFiles, prefix: readKeyText },
}
