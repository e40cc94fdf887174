import type { PlannedCacheKey } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry, requireOneOf } from './map-entry.js'
import type { Reader } from './reader.js'
import { readStrings } from './simple-values.js'

const MAX_FILES = 2
const SOURCES = ['files', 'files_commits']

/** A text, or a key from the content of files in the commit (CI language, 3.5). */
export const readCacheKey: Reader<PlannedCacheKey> = (value, location) => {
  if (typeof value === 'string') return readKeyText(value, location)
  if (!isMap(value)) return location.refuseKind('should be a hash, a string or a symbol')
  const read = readMapEntry(cacheKeyShape, value, location, (map) => requireOneOf(map, SOURCES, location))
  if (!read) return null
  const prefix = read.prefix === undefined ? {} : { prefix: read.prefix }
  return read.files_commits
    ? { files: read.files_commits, by: 'commit', ...prefix }
    : { files: read.files ?? [], by: 'content', ...prefix }
}

/** A key becomes a part of a path. */
const readKeyText: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string or symbol')
  const decoded = value.replace(/%2f/gi, '/').replace(/%2e/gi, '.')
  if (decoded.includes('/')) return location.refuse('cannot contain the "/" character')
  return decoded === '.' || decoded === '..' ? location.refuse('cannot be "." or ".."') : value
}

const readFiles: Reader<string[]> = (value, location) => {
  const files = readStrings(value, location)
  if (files === null) return null
  if (files.length === 0) return location.refuse('requires at least 1 item')
  return files.length > MAX_FILES ? location.refuse(`has too many items (maximum is ${MAX_FILES})`) : files
}

export const cacheKeyShape = {
  attributes: {},
  children: { files: readFiles, files_commits: readFiles, prefix: readKeyText },
}
